// Which pieces are shown, and in which order, so that a prefix cache keeps hitting? Score selects, arrival orders:
// a piece already shown stays while it ranks within keep + slack; new ones are appended behind.
import { byCodePoint } from '../../core/model/code-points.js';
import type { Hash } from '../../core/model/press.js';

export interface StickyOptions {
  readonly keep: number;
  /** How far below the last kept rank a shown piece may fall. */
  readonly slack?: number;
}

export interface StickySelection {
  /** In the order in which they are laid out. */
  readonly ids: readonly string[];
  /** Shown before and still shown. */
  readonly stayed: number;
  /** Names the selection and its order in a receipt. */
  digest(hash: Hash): string;
}

/** `ranked` is best first. Without a history the result is exactly the first `keep`, ordered by id. */
export function stickySelect(
  previousIds: readonly string[],
  ranked: readonly string[],
  options: StickyOptions,
): StickySelection {
  const keep = Math.max(0, Math.floor(options.keep));
  const rank = new Map<string, number>();
  for (const id of ranked) if (!rank.has(id)) rank.set(id, rank.size);
  const limit = keep + Math.max(0, options.slack ?? 4);
  const order = [...rank.keys()];
  const shown = new Set(previousIds);
  // The best half is shown whatever was shown before, so that stickiness never hides the best find.
  const best = order.slice(0, Math.ceil(keep / 2));
  const room = keep - best.filter((id) => !shown.has(id)).length;
  const stay = staying([...shown], rank, { keep: room, limit });
  const staid = new Set(stay);
  const fresh = order.filter((id) => !staid.has(id)).slice(0, keep - stay.length);
  const ids = [...stay, ...fresh.sort(byCodePoint)];
  return {
    ids,
    stayed: stay.length,
    digest: (hash) => hash(ids.map((id) => `${id.length}:${id}`).join('\n')),
  };
}

function staying(
  previous: readonly string[],
  rank: ReadonlyMap<string, number>,
  bounds: { readonly keep: number; readonly limit: number },
): string[] {
  const within = previous.filter((id) => (rank.get(id) ?? Number.POSITIVE_INFINITY) < bounds.limit);
  if (within.length <= bounds.keep) return within;
  const best = new Set([...within].sort((a, b) => rank.get(a)! - rank.get(b)!).slice(0, bounds.keep));
  return within.filter((id) => best.has(id));
}
