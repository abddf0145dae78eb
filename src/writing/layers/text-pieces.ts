// The text that is read, cut into pieces that can be given up one by one: sentences near the cursor, runs of sentences
// farther away. Pieces tile the text; a paragraph that was cut once is not cut again.
import { LRUCache } from 'lru-cache';
import { boundedEnds } from '../documents/clauses.js';
import { detachedText } from '../documents/detached-text.js';
import { paragraphEnds } from '../documents/paragraphs.js';
import { sentenceEnds } from '../documents/sentences.js';

/** Code units. */
export interface TextPiece {
  readonly from: number;
  readonly to: number;
  readonly text: string;
  /** Ends a paragraph. */
  readonly closes: boolean;
}

export interface PieceSizes {
  /** Within this distance of the cursor every sentence is a piece of its own. */
  readonly fine: number;
  /** No piece is longer. */
  readonly most: number;
}

/** From the start of the paragraph. The same texts again and again: whoever remembers something about them finds it quickly. */
type Cut = Omit<TextPiece, 'closes'>;

interface CutParagraph {
  /** Every sentence. */
  readonly fine: readonly Cut[];
  /** Sentences together, as long as they keep to the size. */
  readonly coarse: readonly Cut[];
}

const cuts = new LRUCache<number, LRUCache<string, CutParagraph>>({ max: 4 });
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
    const paragraph = cutParagraph(text.slice(start, end), most);
    for (const cut of near ? paragraph.fine : paragraph.coarse) {
      const past = start + cut.to;
      pieces.push({ from: start + cut.from, to: past, text: cut.text, closes: past === end });
    }
    start = end;
  }
  return pieces;
}

function cutParagraph(paragraph: string, most: number): CutParagraph {
  if (paragraph.length > longestKept) return cutAnew(paragraph, most);
  const known = cuts.get(most) ?? keptParagraphs();
  cuts.set(most, known);
  const found = known.get(paragraph);
  if (found !== undefined) return found;
  const own = detachedText(paragraph);
  const fresh = cutAnew(own, most);
  known.set(own, fresh);
  return fresh;
}

function keptParagraphs(): LRUCache<string, CutParagraph> {
  return new LRUCache({
    max: 4_000,
    maxSize: 8_000_000,
    sizeCalculation: ({ fine, coarse }, text) => 3 * text.length + fine.length + coarse.length + 1,
  });
}

function cutAnew(paragraph: string, most: number): CutParagraph {
  const ends = sentencesOf(paragraph, most);
  const cutAt = (places: readonly number[]) =>
    places.map((to, index): Cut => {
      const from = places[index - 1] ?? 0;
      return { from, to, text: paragraph.slice(from, to) };
    });
  const coarse: number[] = [];
  ends.forEach((end, index) => {
    const next = ends[index + 1];
    if (next === undefined || next - (coarse.at(-1) ?? 0) > most) coarse.push(end);
  });
  return { fine: cutAt(ends), coarse: cutAt(coarse) };
}

/** Ends of the sentences of a paragraph, none of them longer than `most`. */
function sentencesOf(paragraph: string, most: number): readonly number[] {
  const ends: number[] = [];
  let from = 0;
  for (const to of sentenceEnds(paragraph, 0, paragraph.length)) {
    ends.push(...boundedEnds(paragraph, { from, to }, most));
    from = to;
  }
  return ends;
}
