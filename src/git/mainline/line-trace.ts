// Where did the lines of a later tree stand in an earlier one? Followed through the hunks of every step in between, the way git's
// blame follows them, and through renames.
import type { LineHunk, TouchedFile } from './touched-files.js';

export interface LineOrigin {
  readonly path: string;
  readonly line: number;
}

export interface LineTrace {
  /** Goes on to the tree behind these changes. */
  step(files: readonly TouchedFile[]): void;
  /** The line of the first tree that this line of the present one is; undefined where it came later. */
  originOf(path: string, line: number): LineOrigin | undefined;
}

/** Neighbouring lines that stayed together: from `at` on they are those from `from` on. */
interface Run {
  readonly at: number;
  readonly from: number;
  readonly count: number;
}

interface TracedFile {
  readonly path: string;
  readonly runs: readonly Run[];
}

export function lineTrace(): LineTrace {
  // Files that no step touched are as they were.
  const files = new Map<string, TracedFile>();
  const traced = (path: string): TracedFile =>
    files.get(path) ?? { path, runs: [{ at: 1, from: 1, count: Number.POSITIVE_INFINITY }] };
  return {
    step(touched) {
      // All of them are read before any is written: files may have swapped their names.
      const next = touched.flatMap(({ oldPath, newPath, hunks }): [string, TracedFile][] => {
        if (newPath === undefined) return [];
        if (oldPath === undefined) return [[newPath, { path: newPath, runs: [] }]];
        const before = traced(oldPath);
        return [[newPath, { path: before.path, runs: runsAfter(before.runs, hunks) }]];
      });
      for (const { oldPath, newPath } of touched)
        if (oldPath !== undefined && oldPath !== newPath) files.set(oldPath, { path: oldPath, runs: [] });
      for (const [path, file] of next) files.set(path, file);
    },
    originOf(path, line) {
      const file = traced(path);
      const run = file.runs.find(({ at, count }) => line >= at && line < at + count);
      return run === undefined ? undefined : { path: file.path, line: run.from + line - run.at };
    },
  };
}

/** The same runs behind a change: what it removed is gone, the rest has moved. */
function runsAfter(runs: readonly Run[], hunks: readonly LineHunk[]): Run[] {
  const after: Run[] = [];
  let index = 0;
  for (const { first, last, shift } of unchanged(hunks)) {
    while (index < runs.length && runs[index]!.at + runs[index]!.count <= first) index += 1;
    for (let at = index; at < runs.length && runs[at]!.at <= last; at += 1) {
      const run = runs[at]!;
      const start = Math.max(first, run.at);
      const count = Math.min(last + 1, run.at + run.count) - start;
      after.push({ at: start + shift, from: run.from + start - run.at, count });
    }
  }
  return after;
}

/** Lines of the old side that a change leaves, and by how much they move. */
function unchanged(hunks: readonly LineHunk[]): { first: number; last: number; shift: number }[] {
  const kept: { first: number; last: number; shift: number }[] = [];
  let first = 1;
  let shift = 0;
  const keepTo = (last: number) => {
    if (last >= first) kept.push({ first, last, shift });
  };
  for (const { oldStart, oldCount, newCount } of hunks) {
    // Without old lines the number is that of the line before.
    const gap = oldCount === 0 ? oldStart + 1 : oldStart;
    keepTo(gap - 1);
    first = gap + oldCount;
    shift += newCount - oldCount;
  }
  keepTo(Number.POSITIVE_INFINITY);
  return kept;
}
