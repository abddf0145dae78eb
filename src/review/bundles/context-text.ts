// Ranges of a file as one text, with a mark wherever lines are left out.
import type { LineRange } from '../../code/range-evidence.js';

export function contextText(lines: readonly string[], ranges: readonly LineRange[]): string {
  const parts: string[] = [];
  let shown = 0;
  for (const { startLine, endLine } of ranges) {
    if (startLine > shown + 1) parts.push(gap(shown + 1, startLine - 1));
    parts.push(...lines.slice(startLine - 1, endLine));
    shown = endLine;
  }
  if (shown < lines.length) parts.push(gap(shown + 1, lines.length));
  return parts.join('\n');
}

function gap(from: number, to: number): string {
  return from === to ? `[… L${from} left out …]` : `[… L${from}-L${to} left out …]`;
}
