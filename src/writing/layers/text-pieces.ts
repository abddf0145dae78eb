// The text that is read, cut into pieces that can be given up one by one: sentences near the cursor, runs of sentences
// farther away. Pieces tile the text; a paragraph that was cut once is not cut again.
import { LRUCache } from 'lru-cache';
import { boundedEnds } from '../documents/clauses.js';
import { paragraphEnds } from '../documents/paragraphs.js';
import { sentenceEnds } from '../documents/sentences.js';

/** Code units. */
export interface TextPiece {
  readonly from: number;
  readonly to: number;
  /** Ends a paragraph. */
  readonly closes: boolean;
}

export interface PieceSizes {
  /** Within this distance of the cursor every sentence is a piece of its own. */
  readonly fine: number;
  /** No piece is longer. */
  readonly most: number;
}

const cuts = new LRUCache<string, readonly number[]>({
  max: 4_000,
  maxSize: 8_000_000,
  sizeCalculation: (ends, text) => text.length + ends.length + 1,
});
const longestKept = 20_000;

/** Pieces of `[from, to)`, in text order. */
export function textPieces(
  text: string,
  { from, to, cursor }: { from: number; to: number; cursor: number },
  { fine, most }: PieceSizes,
): TextPiece[] {
  const pieces: TextPiece[] = [];
  let start = from;
  for (const end of paragraphEnds(text, from, to)) {
    const near = Math.min(Math.abs(cursor - end), Math.abs(cursor - start)) < fine;
    let open = start;
    let reached = start;
    for (const offset of sentencesOf(text.slice(start, end), most)) {
      const next = start + offset;
      if (reached > open && (near || next - open > most)) {
        pieces.push({ from: open, to: reached, closes: false });
        open = reached;
      }
      reached = next;
    }
    if (end > open) pieces.push({ from: open, to: end, closes: true });
    start = end;
  }
  return pieces;
}

/** Ends of the sentences of a paragraph, none of them longer than `most`. */
function sentencesOf(paragraph: string, most: number): readonly number[] {
  const key = `${most}\n${paragraph}`;
  const known = paragraph.length <= longestKept ? cuts.get(key) : undefined;
  if (known !== undefined) return known;
  const ends: number[] = [];
  let from = 0;
  for (const to of sentenceEnds(paragraph, 0, paragraph.length)) {
    ends.push(...boundedEnds(paragraph, { from, to }, most));
    from = to;
  }
  if (paragraph.length <= longestKept) cuts.set(key, ends);
  return ends;
}
