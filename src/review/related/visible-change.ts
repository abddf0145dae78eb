// The change under review, as ranking sees it: hunks without context, and the lines a reader gets with them for free.

export interface VisibleHunk {
  readonly path: string;
  readonly oldLines: readonly string[];
  readonly newLines: readonly string[];
  /** One-based first new line; for a pure deletion, the line before it, as git prints it. */
  readonly newStart: number;
}

export interface VisibleChange {
  readonly hunks: readonly VisibleHunk[];
}

export const freeMargin = 3;

/** The one-based first and last new-side line shown with a hunk. */
export function shownRange(hunk: VisibleHunk): { first: number; last: number } {
  const count = hunk.newLines.length;
  if (count === 0) return { first: hunk.newStart - freeMargin + 1, last: hunk.newStart + freeMargin };
  return { first: hunk.newStart - freeMargin, last: hunk.newStart + count - 1 + freeMargin };
}
