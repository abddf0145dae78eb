// Is a line blank, comment or code? A line is comment when everything on it but whitespace lies inside comments.
import { isSpace, type LineIndex, lineAt, lineEnd } from './line-index.js';
import { lineKind, type Spans } from './outline-model.js';

export function kindsOfLines(text: string, lines: LineIndex, comments: Spans): Uint8Array {
  const kinds = new Uint8Array(lines.count);
  const left = new Int32Array(lines.count);
  for (let line = 0; line < lines.count; line += 1) {
    left[line] = inked(text, lines.starts[line]!, lineEnd(lines, text, line + 1));
    kinds[line] = left[line] === 0 ? lineKind.blank : lineKind.code;
  }
  for (let at = 0; at < comments.length; at += 2) {
    const start = comments[at]!;
    const end = comments[at + 1]!;
    if (end <= start) continue;
    const last = lineAt(lines, end - 1);
    for (let line = lineAt(lines, start); line <= last; line += 1) {
      const from = Math.max(start, lines.starts[line - 1]!);
      const until = Math.min(end, lineEnd(lines, text, line));
      left[line - 1]! -= inked(text, from, until);
      if (left[line - 1]! <= 0 && kinds[line - 1] === lineKind.code) kinds[line - 1] = lineKind.comment;
    }
  }
  return kinds;
}

function inked(text: string, from: number, until: number): number {
  let count = 0;
  for (let at = from; at < until; at += 1) if (!isSpace(text.charCodeAt(at))) count += 1;
  return count;
}
