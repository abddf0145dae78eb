// Which pieces of text lie around the cursor, nearest first? Together they are one unbroken stretch on each side,
// so that giving up the last piece always gives up the text farthest away.
import { boundedEnds } from './clauses.js';
import { cursorIn } from './cursor.js';
import { type IndexedText, indexText } from './indexed-text.js';
import { paragraphEnds, paragraphStart } from './paragraphs.js';
import { sentenceEnds } from './sentences.js';
import type { TextRange } from './text-range.js';

export interface CursorReach {
  /** The most code points to take before and after the cursor. */
  readonly before: number;
  readonly after: number;
  readonly by?: 'sentence' | 'paragraph';
  /** Longer pieces are cut at clauses; in code points. */
  readonly longest?: number;
}

export interface CursorPieces {
  readonly before: readonly TextRange[];
  readonly after: readonly TextRange[];
}

const lookBack = 20_000;
const lookAhead = 400;

export function cursorPieces(text: string | IndexedText, cursor: number, reach: CursorReach): CursorPieces {
  const indexed = indexText(text);
  const at = cursorIn(indexed, cursor);
  return {
    before: piecesBefore(indexed, at, reach),
    after: piecesAfter(indexed, at, reach),
  };
}

function piecesBefore(indexed: IndexedText, cursor: number, reach: CursorReach): TextRange[] {
  const floor = Math.max(0, cursor - reach.before);
  if (floor >= cursor) return [];
  const from = paragraphStart(indexed.text, indexed.unitAt(floor), lookBack);
  const pieces = cut(indexed, { from, to: indexed.unitAt(cursor) }, reach).reverse();
  const whole = pieces.filter((piece) => piece.start >= floor);
  if (whole.length > 0 || pieces[0] === undefined) return whole;
  return [{ start: floor, end: cursor }];
}

function piecesAfter(indexed: IndexedText, cursor: number, reach: CursorReach): TextRange[] {
  const ceiling = Math.min(indexed.length, cursor + reach.after);
  if (ceiling <= cursor) return [];
  const from = indexed.unitAt(cursor);
  // A little beyond the ceiling, so that the last border inside it is seen as what it is.
  const to = Math.min(indexed.text.length, indexed.unitAt(ceiling) + lookAhead);
  const pieces = cut(indexed, { from, to: indexed.unitAt(indexed.positionAt(to)) }, reach);
  const whole = pieces.filter((piece) => piece.end <= ceiling);
  if (whole.length > 0 || pieces[0] === undefined) return whole;
  return [{ start: cursor, end: ceiling }];
}

function cut(indexed: IndexedText, span: { from: number; to: number }, reach: CursorReach): TextRange[] {
  const { text } = indexed;
  const endsOf = reach.by === 'paragraph' ? paragraphEnds : sentenceEnds;
  const longest = Math.max(1, reach.longest ?? Number.POSITIVE_INFINITY);
  const pieces: TextRange[] = [];
  let from = span.from;
  for (const to of endsOf(text, span.from, span.to)) {
    for (const end of boundedEnds(text, { from, to }, longest)) {
      pieces.push({ start: indexed.positionAt(from), end: indexed.positionAt(end) });
      from = end;
    }
  }
  return pieces;
}
