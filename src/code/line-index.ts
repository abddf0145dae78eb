// A source by its lines, which end at LF only, as git counts them: which holds an offset, what kind each is, whether two bodies
// say the same.
import { lineKind, type Spans } from './syntax/outline-model.js';

export interface LineIndex {
  /** Offset of the first character of each line. */
  readonly starts: readonly number[];
  readonly count: number;
}

export function indexLines(text: string): LineIndex {
  const starts: number[] = [];
  if (text.length > 0) starts.push(0);
  for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) {
    if (at + 1 < text.length) starts.push(at + 1);
  }
  return { starts, count: starts.length };
}

export function lineAt(index: LineIndex, offset: number): number {
  let low = 0;
  let high = index.starts.length - 1;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (index.starts[middle]! <= offset) low = middle;
    else high = middle - 1;
  }
  return low + 1;
}

/** The end of the line without its terminator. */
export function lineEnd(index: LineIndex, text: string, line: number): number {
  const next = index.starts[line];
  if (next !== undefined) return next - 1;
  return text.endsWith('\n') ? text.length - 1 : text.length;
}

export function isSpace(code: number): boolean {
  return code === 32 || (code >= 9 && code <= 13) || code === 0xa0 || code === 0xfeff;
}

/** Is a line blank, comment or code? A line is comment when everything on it but whitespace lies inside comments. */
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

/**
 * Do two bodies say the same? Whitespace is collapsed and the owner's name masked, so that a rename keeps its digest.
 */
export function bodyDigest(body: string, ownName: string): string {
  const own = /^[\w$]+$/.test(ownName) ? ownName : undefined;
  let high = 0x811c9dc5;
  let low = 0x1000193;
  for (const [word] of body.matchAll(/[\w$]+|[^\s\w$]/g)) {
    const token = word === own ? '\u0000' : word;
    for (let at = 0; at < token.length; at += 1) {
      high = Math.imul(high ^ token.charCodeAt(at), 0x01000193);
      low = Math.imul(low ^ token.charCodeAt(at), 0x85ebca6b);
    }
    high = Math.imul(high ^ 0x1f, 0x01000193);
    low = (low << 13) | (low >>> 19);
  }
  return (high >>> 0).toString(16).padStart(8, '0') + (low >>> 0).toString(16).padStart(8, '0');
}
