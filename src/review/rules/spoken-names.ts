// The identifiers of a range of lines: what stands in comments and strings does not count.
import { lineEnd } from '../../code/line-index.js';
import type { LineRange } from '../../code/range-evidence.js';
import type { Spans } from '../../code/syntax/outline-model.js';
import type { FileSide } from '../units/changed-file.js';

export function spokenNames({ text, index, outline }: FileSide, range: LineRange): string[] {
  const last = Math.min(range.endLine, index.count);
  if (range.startLine < 1 || last < range.startLine) return [];
  const start = index.starts[range.startLine - 1]!;
  const end = lineEnd(index, text, last);
  const silent = [...within(outline.comments, start, end), ...within(outline.strings, start, end)];
  silent.sort((a, b) => a[0] - b[0]);
  const names: string[] = [];
  let from = start;
  for (const [at, until] of [...silent, [end, end] as const]) {
    if (at > from) names.push(...(text.slice(from, at).match(/[\p{L}_$][\p{L}\p{N}_$]*/gu) ?? []));
    from = Math.max(from, until);
  }
  return names;
}

function within(spans: Spans, start: number, end: number): [number, number][] {
  const found: [number, number][] = [];
  for (let at = 0; at < spans.length; at += 2)
    if (spans[at]! < end && spans[at + 1]! > start) found.push([spans[at]!, spans[at + 1]!]);
  return found;
}
