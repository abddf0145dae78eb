// The text around the cursor as fragments of Immediate: nearest stays longest, text after the cursor goes before text in
// front of it, and the marked place of the cursor never goes.

import { LRUCache } from 'lru-cache';
import type { Fragment, Level } from '../../core/model/fragment.js';
import { boundedEnds, paragraphEnds, sentenceEnds } from '../documents/borders.js';
import { detachedText } from '../documents/indexed-text.js';
import { type LayerBody, layerFragment, type MarkPlace } from '../layers/layer-fragment.js';
import type { Scene } from '../layers/scene.js';

const sizes = { fine: 2_400, most: 200 };
/** Below every piece before the cursor. */
const afterRank = -1_000_000_000;

export const beforePrefix = 'text:before:';

/** Distance is in code units from the cursor; ids name the place counted from the start of the text. */
export function readText(
  scene: Scene,
  { selection = 'shown' }: { selection?: 'shown' | 'marked' } = {},
): readonly Fragment<LayerBody>[] {
  const { indexed, window, project } = scene;
  if (window.to <= window.from) return [];
  const { text } = indexed;
  const scope = { project };
  const passage = (
    id: string,
    { from, levels }: TextPiece,
    { rank, pinned, breakpoint }: { rank: number; pinned?: boolean; breakpoint?: boolean },
  ): Fragment<LayerBody> => ({
    id: `${id}${from}`,
    source: 'document',
    layer: 'immediate',
    section: 'text',
    rank,
    position: from,
    scope,
    levels,
    ...(pinned === undefined ? {} : { pinned }),
    ...(breakpoint === undefined ? {} : { breakpoint }),
  });
  const mark = (place: MarkPlace, position: number) =>
    layerFragment(project, {
      id: `text:${place}`,
      source: 'document',
      layer: 'immediate',
      section: 'text',
      rank: 0,
      position,
      body: { kind: 'mark', place },
      pinned: true,
    });

  const before = textPieces(text, { from: window.from, to: window.start, cursor: window.start }, sizes);
  const lastClosed = before.findLast(({ closes, to }) => closes && to < window.start);
  const fragments = before.map((piece) =>
    passage(beforePrefix, piece, {
      rank: piece.to - window.start,
      ...(piece === lastClosed ? { breakpoint: true } : {}),
    }),
  );
  if (window.end > window.start) fragments.push(mark('selection-start', window.start - 0.5));
  else fragments.push(mark('cursor', window.start - 0.5));
  // A text that stands in the task is not shown twice: its place is marked.
  if (window.end > window.start && selection === 'shown') {
    for (const piece of textPieces(
      text,
      { from: window.start, to: window.end, cursor: window.start },
      sizes,
    )) {
      fragments.push(passage('text:selection:', piece, { rank: 0, pinned: true }));
    }
    fragments.push(mark('selection-end', window.end - 0.5));
  }
  for (const piece of textPieces(text, { from: window.end, to: window.to, cursor: window.end }, sizes)) {
    fragments.push(passage('text:after:', piece, { rank: afterRank - (piece.from - window.end) }));
  }
  // A mark alone tells nothing.
  const isBare =
    selection === 'marked' && !fragments.some(({ levels }) => levels[0]?.body.kind === 'passage');
  return isBare ? [] : fragments;
}

// The text that is read, cut into pieces that can be given up one by one: sentences near the cursor, runs of sentences
// farther away. Pieces tile the text; a paragraph that was cut once is not cut again.
/** Code units. */
interface TextPiece {
  readonly from: number;
  readonly to: number;
  readonly text: string;
  /** Its words as a fragment holds them. */
  readonly levels: readonly Level<LayerBody>[];
  /** Ends a paragraph. */
  readonly closes: boolean;
}

interface PieceSizes {
  /** Within this distance of the cursor every sentence is a piece of its own. */
  readonly fine: number;
  /** No piece is longer. */
  readonly most: number;
}

/** From the start of the paragraph. The same levels again and again: whoever remembers something about them finds it quickly. */
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
      const { text: words, levels } = cut;
      pieces.push({ from: start + cut.from, to: past, text: words, levels, closes: past === end });
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
      const text = paragraph.slice(from, to);
      return { from, to, text, levels: [{ name: 'whole', body: { kind: 'passage', text } }] };
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

// The writer's own words for this one request: at the very end of Immediate, and never given up.
export function readInstruction({ project, instruction }: Scene): readonly Fragment<LayerBody>[] {
  const text = instruction.trim();
  if (text === '') return [];
  return [
    layerFragment(project, {
      id: 'instruction',
      source: 'request',
      layer: 'immediate',
      section: 'instruction',
      rank: 0,
      position: 0,
      body: { kind: 'passage', text },
      pinned: true,
    }),
  ];
}
