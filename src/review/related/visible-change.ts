// The change under review, as ranking sees it: hunks without context, and the lines a reader gets with them for free.
import { byCodePoint } from '../../core/model/code-points.js';
import { isTestPath } from './path-kinship.js';

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

const freeMargin = 3;
const mostForemost = 200;

/** The one-based first and last new-side line shown with a hunk. */
export function shownRange(hunk: VisibleHunk): { first: number; last: number } {
  const count = hunk.newLines.length;
  if (count === 0) return { first: hunk.newStart - freeMargin + 1, last: hunk.newStart + freeMargin };
  return { first: hunk.newStart - freeMargin, last: hunk.newStart + count - 1 + freeMargin };
}

/** The changed paths that are opened: all of them, or of a very large change those that are no tests and have most hunks. */
export function foremostPaths(change: VisibleChange): string[] {
  const hunks = new Map<string, number>();
  for (const { path } of change.hunks) hunks.set(path, (hunks.get(path) ?? 0) + 1);
  return [...hunks]
    .toSorted(
      ([a, left], [b, right]) =>
        Number(isTestPath(a)) - Number(isTestPath(b)) || right - left || byCodePoint(a, b),
    )
    .slice(0, mostForemost)
    .map(([path]) => path)
    .toSorted(byCodePoint);
}
