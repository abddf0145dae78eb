// Every added and removed line of a patch with its number on its own side, and numbers as the ranges people read.
import type { LineRange } from '../../code/range-evidence.js';
import { type FilePatch, hunkLines, lineText } from '../../git/patch/patch.js';

export interface ChangedLine {
  readonly hunk: number;
  /** Place among the lines of the hunk, from zero. */
  readonly place: number;
  readonly kind: 'added' | 'removed';
  /** One-based, on the new side for added lines and on the old side for removed ones. */
  readonly number: number;
  /** The line of the other side that follows it. */
  readonly opposite: number;
  readonly text: string;
  /** Neighbouring changed lines without context between them share a run. */
  readonly run: number;
}

export function changedLines(patch: FilePatch): ChangedLine[] {
  const found: ChangedLine[] = [];
  let run = 0;
  patch.hunks.forEach((hunk, index) => {
    // An empty side is named by the line before it.
    let oldLine = hunk.oldCount === 0 ? hunk.oldStart + 1 : hunk.oldStart;
    let newLine = hunk.newCount === 0 ? hunk.newStart + 1 : hunk.newStart;
    run += 1;
    hunkLines(hunk).forEach((line, place) => {
      const { kind } = line;
      if (kind === 'context') {
        oldLine += 1;
        newLine += 1;
        run += 1;
        return;
      }
      const number = kind === 'added' ? newLine : oldLine;
      const opposite = kind === 'added' ? oldLine : newLine;
      found.push({ hunk: index, place, kind, number, opposite, text: lineText(line), run });
      if (kind === 'added') newLine += 1;
      else oldLine += 1;
    });
  });
  return found;
}

export function rangesOf(numbers: readonly number[]): LineRange[] {
  const ranges: { startLine: number; endLine: number }[] = [];
  for (const number of [...new Set(numbers)].sort((a, b) => a - b)) {
    const last = ranges.at(-1);
    if (last !== undefined && number === last.endLine + 1) last.endLine = number;
    else ranges.push({ startLine: number, endLine: number });
  }
  return ranges;
}

/** Null for a side without changed lines. */
export function compactLines(ranges: readonly LineRange[]): string | null {
  if (ranges.length === 0) return null;
  return ranges
    .map(({ startLine, endLine }) => (startLine === endLine ? `L${startLine}` : `L${startLine}-L${endLine}`))
    .join(',');
}
