// Line numbers as ranges, and ranges as the short text people read: L10-L12,L20.
import type { LineRange } from '../../code/range-evidence.js';

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
