// Where is code point n? A sparse table answers in a bounded walk, so positions in long texts stay cheap.
// A lone surrogate counts as one code point, as in string iteration.
import { GalleyError } from '../../core/model/error.js';

// A half-open range of a text, always counted in code points.
export interface TextRange {
  readonly start: number;
  readonly end: number;
}

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

// A cursor counts code points. Editors may send one that is a little stale, so it is clamped to the text; nonsense is refused.
export function cursorIn(indexed: IndexedText, cursor: number, field = 'cursorPosition'): number {
  if (!Number.isInteger(cursor) || cursor < 0) {
    throw new GalleyError('INVALID_ARGUMENT', `${field} must be a whole number of code points, 0 or more.`, {
      details: { field },
    });
  }
  return Math.min(cursor, indexed.length);
}

// N code points on each side of a selection, exactly: no more, no borders sought.
interface Surrounding {
  readonly before: TextRange;
  readonly selection: TextRange;
  readonly after: TextRange;
}

export function surrounding(text: string | IndexedText, selection: TextRange, n: number): Surrounding {
  const indexed = indexText(text);
  const start = cursorIn(indexed, selection.start, 'selection.start');
  const end = cursorIn(indexed, selection.end, 'selection.end');
  const reach = cursorReach(n);
  if (end < start) {
    throw new GalleyError('INVALID_ARGUMENT', 'selection.end must not lie before selection.start.', {
      details: { field: 'selection.end' },
    });
  }
  return {
    before: { start: Math.max(0, start - reach), end: start },
    selection: { start, end },
    after: { start: end, end: Math.min(indexed.length, end + reach) },
  };
}

function cursorReach(n: number): number {
  if (Number.isInteger(n) && n >= 0) return n;
  throw new GalleyError('INVALID_ARGUMENT', 'surrounding must be a whole number of code points, 0 or more.', {
    details: { field: 'surrounding' },
  });
}

// A copy that stands alone. A piece cut from a text keeps the whole text in memory; what is remembered for long must not.
export function detachedText(piece: string): string {
  return Buffer.from(piece, 'utf16le').toString('utf16le');
}
