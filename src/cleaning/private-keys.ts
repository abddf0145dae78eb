// Private keys run over many lines, and a diff may show only some of them: what stands between their first and last line goes,
// and so do whole lines of key text next to either.

/** A half-open range of UTF-16 code units in a text. */
export interface TextRange {
  readonly start: number;
  readonly end: number;
}

const first = /-----BEGIN (?:[A-Z0-9]+ ){0,3}PRIVATE KEY(?: BLOCK)?-----/g;
const last = /-----END (?:[A-Z0-9]+ ){0,3}PRIVATE KEY(?: BLOCK)?-----/g;
const keyText = /[A-Za-z0-9+/=]{4,}/g;
const keyLine = /^[ +-]?[\s"'`]*[A-Za-z0-9+/=]{16,}(?:\\[nr]|[\s"'`,;+\\])*$/;
const mostCharacters = 20_000;

export function privateKeyRanges(text: string): TextRange[] {
  const ranges: TextRange[] = [];
  const take = (from: number, to: number) => {
    // Neither an escaped line end nor the sign of a diff line is part of the key, though both look like it.
    const plain = text
      .slice(from, to)
      .replaceAll(/\\[nr]/g, '  ')
      .replaceAll(/^[+-]/gm, ' ');
    for (const { index, 0: run } of plain.matchAll(keyText))
      ranges.push({ start: from + index, end: from + index + run.length });
  };
  for (const { index, 0: marker } of text.matchAll(first)) {
    const from = index + marker.length;
    last.lastIndex = from;
    const end = last.exec(text)?.index;
    if (end !== undefined && end - from <= mostCharacters) take(from, end);
    else take(from, whileKeyLines(text, from));
  }
  for (const { index } of text.matchAll(last)) {
    const from = backWhileKeyLines(text, index);
    if (from < index) take(from, index);
  }
  return ranges;
}

function whileKeyLines(text: string, from: number): number {
  let at = text.indexOf('\n', from);
  while (at !== -1 && at - from < mostCharacters) {
    const next = text.indexOf('\n', at + 1);
    const line = text.slice(at + 1, next === -1 ? text.length : next);
    if (!keyLine.test(line)) return at;
    at = next;
  }
  return at === -1 ? text.length : at;
}

function backWhileKeyLines(text: string, before: number): number {
  let start = text.lastIndexOf('\n', before) + 1;
  while (start > 0 && before - start < mostCharacters) {
    const previous = text.lastIndexOf('\n', start - 2) + 1;
    if (!keyLine.test(text.slice(previous, start - 1))) break;
    start = previous;
  }
  return start;
}
