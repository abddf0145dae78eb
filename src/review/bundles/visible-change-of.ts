// The change as ranking sees it: every run of changed lines without its context.
import type { VisibleChange, VisibleHunk } from '../related/visible-change.js';
import type { ChangedFile } from '../units/changed-file.js';
import { type ChangedLine, changedLines } from '../units/changed-line.js';
import type { ShownRange } from './line-claims.js';

export function visibleChangeOf(files: readonly ChangedFile[]): VisibleChange {
  return {
    hunks: files.flatMap(({ patch }) => {
      const runs = new Map<number, ChangedLine[]>();
      for (const line of changedLines(patch)) {
        const run = runs.get(line.run);
        if (run === undefined) runs.set(line.run, [line]);
        else run.push(line);
      }
      return [...runs.values()].map((run) => hunkOf(patch.entry.path, run));
    }),
  };
}

function hunkOf(path: string, run: readonly ChangedLine[]): VisibleHunk {
  const added = run.filter(({ kind }) => kind === 'added');
  const removed = run.filter(({ kind }) => kind === 'removed');
  return {
    path,
    oldLines: removed.map(({ text }) => text),
    newLines: added.map(({ text }) => text),
    newStart: added[0]?.number ?? (removed[0]?.opposite ?? 1) - 1,
  };
}

/** Both sides of every hunk, context included. */
export function shownByDiff(files: readonly ChangedFile[]): ShownRange[] {
  return files.flatMap(({ patch }) =>
    patch.hunks.flatMap(({ oldStart, oldCount, newStart, newCount }): ShownRange[] => [
      {
        path: patch.entry.oldPath ?? patch.entry.path,
        side: 'old',
        startLine: oldStart,
        endLine: oldStart + oldCount - 1,
      },
      { path: patch.entry.path, side: 'new', startLine: newStart, endLine: newStart + newCount - 1 },
    ]),
  );
}
