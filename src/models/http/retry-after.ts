// How long a provider asks to wait: in milliseconds, in seconds or until a date. Anything else is not an answer.

export function readRetryAfter(
  header: (name: string) => string | undefined,
  now: number,
): number | undefined {
  const milliseconds = number(header('retry-after-ms'));
  if (milliseconds !== undefined) return Math.ceil(milliseconds);
  const wanted = header('retry-after')?.trim();
  if (wanted === undefined || wanted === '') return undefined;
  const seconds = number(wanted);
  if (seconds !== undefined) return Math.ceil(seconds * 1000);
  const date = /^[A-Za-z]{3}/.test(wanted) ? Date.parse(wanted) : Number.NaN;
  return Number.isNaN(date) ? undefined : Math.max(0, date - now);
}

function number(text: string | undefined): number | undefined {
  return text !== undefined && /^\d+(?:\.\d+)?$/.test(text.trim()) ? Number(text) : undefined;
}
