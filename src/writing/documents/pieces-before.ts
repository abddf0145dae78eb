// Which pieces of text lie before the cursor, nearest first? Together they are one unbroken stretch, so that giving up the last
// piece always gives up the text farthest away.
import { cursorIn } from './cursor.js';
import { type IndexedText, indexText } from './indexed-text.js';
import { paragraphEnds, paragraphStart } from './paragraphs.js';
import { sentenceEnds } from './sentences.js';
import type { TextRange } from './text-range.js';

export interface Reach {
  /** The most code points to take. */
  readonly size: number;
  readonly by: 'sentence' | 'paragraph';
}

const lookBack = 20_000;

export function piecesBefore(text: string | IndexedText, cursor: number, { size, by }: Reach): TextRange[] {
  const indexed = indexText(text);
  const at = cursorIn(indexed, cursor);
  const floor = Math.max(0, at - size);
  if (floor >= at) return [];
  const endsOf = by === 'paragraph' ? paragraphEnds : sentenceEnds;
  const from = paragraphStart(indexed.text, indexed.unitAt(floor), lookBack);
  const ends = [...endsOf(indexed.text, from, indexed.unitAt(at))].map((end) => indexed.positionAt(end));
  const starts = [indexed.positionAt(from), ...ends];
  const pieces = ends.map((end, index) => ({ start: starts[index] ?? floor, end })).reverse();
  const whole = pieces.filter(({ start }) => start >= floor);
  if (whole.length > 0 || pieces.length === 0) return whole;
  return [{ start: floor, end: at }];
}
