// The text around the cursor as fragments of Immediate: nearest stays longest, text after the cursor goes before text in
// front of it, and the marked place of the cursor never goes.
import type { Fragment } from '../../core/model/fragment.js';
import type { LayerBody, MarkPlace } from './layer-body.js';
import { layerFragment } from './layer-fragment.js';
import type { Scene } from './scene.js';
import { type TextPiece, textPieces } from './text-pieces.js';

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
  const passage = (
    id: string,
    range: TextPiece,
    how: { rank: number; pinned?: boolean; breakpoint?: boolean },
  ): Fragment<LayerBody> =>
    layerFragment(project, {
      id: `${id}${range.from}`,
      source: 'document',
      layer: 'immediate',
      section: 'text',
      position: range.from,
      body: { kind: 'passage', text: range.text },
      ...how,
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
