// Which line holds an offset? Lines end at LF only, as git counts them; numbers are 1-based.

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
