// Ranges of a file as one text, with a mark wherever lines are left out.
import type { LineRange } from '../../code/range-evidence.js';

/** `edges` also marks what is left out before the first and behind the last range. */
export function contextText(
  lines: readonly string[],
  ranges: readonly LineRange[],
  options: { readonly edges?: boolean } = {},
): string {
  const parts: string[] = [];
  let shown = options.edges ? 0 : (ranges[0]?.startLine ?? 1) - 1;
  for (const { startLine, endLine } of ranges) {
    if (startLine > shown + 1) parts.push(gap(shown + 1, startLine - 1));
    parts.push(...lines.slice(startLine - 1, endLine));
    shown = endLine;
  }
  if (options.edges && shown < lines.length) parts.push(gap(shown + 1, lines.length));
  return parts.join('\n');
}

function gap(from: number, to: number): string {
  return from === to ? `[… L${from} left out …]` : `[… L${from}-L${to} left out …]`;
}
