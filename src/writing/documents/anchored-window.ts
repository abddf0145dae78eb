// Where does the text before the cursor start? The start stays put while the window fits and then hops forward,
// so that the bytes before the cursor remain a prefix of the next request. State in, state out.

import { paragraphEnds, paragraphStart, sentenceEnds } from './borders.js';
import { cursorIn, type IndexedText, indexText, type TextRange } from './indexed-text.js';

export interface WindowAnchor {
  /** Where the window starts, in code points. */
  readonly start: number;
  /** Fingerprint of the code points just before the start: any insertion or deletion before it shifts them. */
  readonly surroundings: string;
}

interface WindowSize {
  /** The most code points the window may hold. */
  readonly size: number;
  /** The part of the size that remains after a hop. */
  readonly hopTo?: number;
}

export interface AnchoredWindow {
  readonly anchor: WindowAnchor;
  readonly start: number;
  readonly end: number;
  readonly moved: 'first' | 'stayed' | 'hopped' | 'back' | 're-anchored';
}

const sample = 64;

/** To remember a start by. */
export function anchorAt(indexed: IndexedText, start: number): WindowAnchor {
  return { start, surroundings: fingerprint(indexed, start) };
}

export function anchoredWindow(
  previous: WindowAnchor | undefined,
  text: string | IndexedText,
  cursor: number,
  window: WindowSize,
): AnchoredWindow {
  const indexed = indexText(text);
  const end = cursorIn(indexed, cursor);
  const hop = Math.floor(window.size * (window.hopTo ?? 0.6));
  const at = (start: number, moved: AnchoredWindow['moved']): AnchoredWindow => ({
    anchor: anchorAt(indexed, start),
    start,
    end,
    moved,
  });
  // The first window is exactly the largest that fits.
  if (previous === undefined) return at(startWithin(indexed, end, window.size), 'first');
  if (end <= window.size) return at(0, previous.start === 0 ? 'stayed' : 'back');
  if (fingerprint(indexed, previous.start) !== previous.surroundings) {
    return at(startWithin(indexed, end, hop), 're-anchored');
  }
  // A cursor that went back leaves too little before it to be useful.
  if (end - previous.start < hop / 2) return at(startWithin(indexed, end, hop), 'back');
  if (end - previous.start <= window.size) return at(previous.start, 'stayed');
  return at(startWithin(indexed, end, hop), 'hopped');
}

function startWithin(indexed: IndexedText, cursor: number, size: number): number {
  if (cursor <= size) return 0;
  const paragraphs = piecesBefore(indexed, cursor, { size, by: 'paragraph' });
  const sentences = piecesBefore(indexed, cursor, { size, by: 'sentence' });
  const wide = sentences.at(-1)?.start ?? cursor;
  const narrow = paragraphs.length > 1 ? paragraphs.at(-1)!.start : wide;
  return cursor - narrow >= 0.75 * (cursor - wide) ? narrow : wide;
}

function fingerprint(indexed: IndexedText, start: number): string {
  const near = indexed.slice({ start: start - sample, end: start });
  let hash = 0x811c9dc5;
  for (let unit = 0; unit < near.length; unit += 1) {
    hash = Math.imul(hash ^ near.charCodeAt(unit), 0x01000193) >>> 0;
  }
  return `${start}:${hash.toString(16)}`;
}

// Which pieces of text lie before the cursor, nearest first? Together they are one unbroken stretch, so that giving up the last
// piece always gives up the text farthest away.
interface Reach {
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
