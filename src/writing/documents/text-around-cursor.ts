// What stands before and after the cursor, starting and ending where a reader would expect it.
// A paragraph border is preferred where it costs at most a quarter of the stretch, else a sentence border.
import { cursorIn } from './cursor.js';
import { type CursorReach, cursorPieces } from './cursor-pieces.js';
import { type IndexedText, indexText } from './indexed-text.js';
import type { TextRange } from './text-range.js';

export interface TextAroundCursor {
  readonly before: TextRange;
  readonly after: TextRange;
}

const paragraphWorth = 0.75;

export function textAroundCursor(
  text: string | IndexedText,
  cursor: number,
  reach: Pick<CursorReach, 'before' | 'after'>,
): TextAroundCursor {
  const indexed = indexText(text);
  const at = cursorIn(indexed, cursor);
  const byParagraph = cursorPieces(indexed, at, { ...reach, by: 'paragraph' });
  const bySentence = cursorPieces(indexed, at, { ...reach, by: 'sentence' });
  const first = (pieces: readonly TextRange[]) => pieces.at(-1)?.start ?? at;
  const last = (pieces: readonly TextRange[]) => pieces.at(-1)?.end ?? at;
  const [wide, narrow] = [first(bySentence.before), first(byParagraph.before)];
  const [far, near] = [last(bySentence.after), last(byParagraph.after)];
  const wholeBefore = isWhole(indexed, byParagraph.before) && at - narrow >= paragraphWorth * (at - wide);
  const wholeAfter = isWhole(indexed, byParagraph.after) && near - at >= paragraphWorth * (far - at);
  return {
    before: { start: wholeBefore ? narrow : wide, end: at },
    after: { start: at, end: wholeAfter ? near : far },
  };
}

/** A single piece may be a hard cut inside a paragraph; then the sentence border is the better one. */
function isWhole(indexed: IndexedText, pieces: readonly TextRange[]): boolean {
  if (pieces.length !== 1) return pieces.length > 1;
  const [piece] = pieces;
  const before = indexed.slice({ start: piece!.start - 1, end: piece!.start });
  const after = indexed.slice({ start: piece!.end - 1, end: piece!.end });
  return before === '\n' || before === '' || after === '\n';
}
