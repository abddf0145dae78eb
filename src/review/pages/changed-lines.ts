// Which lines of the new side does a patch change? A removal alone counts for the line that took its place.
import type { Hunk } from '../../git/patch/patch.js';
import type { LineSpan } from './piece.js';

const [newline, plus, minus, backslash] = [10, 43, 45, 92];

export function changedLines(hunks: readonly Hunk[]): LineSpan[] {
  const spans: { start: number; end: number }[] = [];
  const mark = (line: number) => {
    const last = spans.at(-1);
    if (last !== undefined && line <= last.end + 1) last.end = Math.max(last.end, line);
    else spans.push({ start: line, end: line });
  };
  for (const { body, newStart, newCount } of hunks) {
    let line = newCount === 0 ? newStart + 1 : newStart;
    for (let from = 0; from < body.length; ) {
      const sign = body[from];
      if (sign === plus) mark(line);
      else if (sign === minus) mark(Math.max(1, line));
      if (sign !== minus && sign !== backslash) line += 1;
      const end = body.indexOf(newline, from);
      from = end === -1 ? body.length : end + 1;
    }
  }
  return spans;
}
