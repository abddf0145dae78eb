// How long to wait before a failed call is made again: longer each time, never in step with others, and as long as asked.

export interface Patience {
  /** Calls per run at most. */
  readonly attempts: number;
  readonly random: () => number;
}

const firstMs = 500;
const mostMs = 30_000;
const apartMs = 250;

export function backoffMs(attempt: number, { random }: Patience, retryAfterMs: number | undefined): number {
  if (retryAfterMs !== undefined) return Math.ceil(retryAfterMs + random() * apartMs);
  const most = Math.min(mostMs, firstMs * 2 ** (attempt - 1));
  return Math.ceil((most / 2) * (1 + random()));
}
