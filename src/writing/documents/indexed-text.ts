// Where is code point n? A sparse table answers in a bounded walk, so positions in long texts stay cheap.
// A lone surrogate counts as one code point, as in string iteration.
import type { TextRange } from './text-range.js';

const stride = 512;

export interface IndexedText {
  readonly text: string;
  /** In code points. */
  readonly length: number;
  /** The code unit at which a code point begins; positions outside the text are clamped to its ends. */
  unitAt(position: number): number;
  /** The code point that begins at, or holds, a code unit. */
  positionAt(unit: number): number;
  slice(range: TextRange): string;
}

export function indexText(text: string | IndexedText): IndexedText {
  if (typeof text !== 'string') return text;
  return /[\ud800-\udbff]/.test(text) ? withPairs(text) : withoutPairs(text);
}

function withoutPairs(text: string): IndexedText {
  const clamp = (value: number) => Math.min(Math.max(value, 0), text.length);
  return {
    text,
    length: text.length,
    unitAt: clamp,
    positionAt: clamp,
    slice: (range) => text.slice(clamp(range.start), clamp(range.end)),
  };
}

function withPairs(text: string): IndexedText {
  const marks: number[] = [];
  let length = 0;
  for (let unit = 0; unit < text.length; unit += widthAt(text, unit)) {
    if (length % stride === 0) marks.push(unit);
    length += 1;
  }
  const unitAt = (position: number): number => {
    if (position <= 0) return 0;
    if (position >= length) return text.length;
    const mark = Math.floor(position / stride);
    let unit = marks[mark]!;
    for (let walked = mark * stride; walked < position; walked += 1) unit += widthAt(text, unit);
    return unit;
  };
  const positionAt = (unit: number): number => {
    if (unit <= 0) return 0;
    if (unit >= text.length) return length;
    const mark = lastAtOrBefore(marks, unit);
    let position = mark * stride;
    for (let at = marks[mark]!; ; position += 1) {
      at += widthAt(text, at);
      if (at > unit) return position;
    }
  };
  return {
    text,
    length,
    unitAt,
    positionAt,
    slice: (range) => text.slice(unitAt(range.start), unitAt(range.end)),
  };
}

function widthAt(text: string, unit: number): 1 | 2 {
  const first = text.charCodeAt(unit);
  if (first < 0xd800 || first > 0xdbff) return 1;
  const second = text.charCodeAt(unit + 1);
  return second >= 0xdc00 && second <= 0xdfff ? 2 : 1;
}

function lastAtOrBefore(marks: readonly number[], unit: number): number {
  let low = 0;
  let high = marks.length - 1;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (marks[middle]! <= unit) low = middle;
    else high = middle - 1;
  }
  return low;
}
