// The code of some lines without what stands in comments and strings, and the names it speaks.
import { lineEnd } from '../../code/line-index.js';
import type { LineRange } from '../../code/range-evidence.js';
import type { Spans } from '../../code/syntax/outline-model.js';
import type { FileSide } from '../units/changed-file.js';

/** Line by line. A string leaves a pair of quotes behind, so that an empty place is no string. */
export function spokenLines({ text, index, outline }: FileSide, range: LineRange): string[] {
  const last = Math.min(range.endLine, index.count);
  if (range.startLine < 1 || last < range.startLine) return [];
  const start = index.starts[range.startLine - 1]!;
  const end = lineEnd(index, text, last);
  const silent = [
    ...within(outline.comments, start, end).map((span) => [...span, ''] as const),
    ...within(outline.strings, start, end).map((span) => [...span, "''"] as const),
  ].sort((a, b) => a[0] - b[0]);
  let code = '';
  let from = start;
  for (const [at, until, instead] of [...silent, [end, end, ''] as const]) {
    if (at > from) code += text.slice(from, at);
    if (until <= from) continue;
    const hidden = text.slice(Math.max(from, at), Math.min(until, end));
    code += instead + hidden.replace(/[^\n]+/g, '');
    from = until;
  }
  return code.split('\n');
}

/** A value that happens to be called eval evaluates nothing. */
const spoken = /(?!eval\b(?!\s*\())(?<![\p{L}\p{N}_$])[\p{L}_$][\p{L}\p{N}_$]*/gu;

export function namesOf(code: string): readonly string[] {
  return code.match(spoken) ?? [];
}

function within(spans: Spans, start: number, end: number): [number, number][] {
  const found: [number, number][] = [];
  for (let at = 0; at < spans.length; at += 2)
    if (spans[at]! < end && spans[at + 1]! > start) found.push([spans[at]!, spans[at + 1]!]);
  return found;
}
