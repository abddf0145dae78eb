// What happened before this chapter: where little of it is written yet, the end of the chapter before, so that a new one does not
// begin from nothing.
import type { Fragment } from '../../core/model/fragment.js';
import type { DocumentEntry } from '../../store/documents.js';
import { chapterNumber } from '../documents/chapter-number.js';
import type { LayerBody } from './layer-body.js';
import { layerFragment } from './layer-fragment.js';
import type { ReadLayer } from './layer-source.js';
import type { Scene } from './scene.js';
import { textPieces } from './text-pieces.js';

/** Code units of text before the cursor from which on a chapter speaks for itself. */
const enough = 1_200;
const sizes = { fine: 0, most: 200 };
/** Below every piece of the chapter at hand. */
const endingRank = -500_000_000;

export const readStory: ReadLayer = async ({ store, scene }) => {
  const room = enough - (scene.window.start - scene.window.from);
  const before = room > 0 ? chapterBefore(scene) : undefined;
  if (before === undefined) return [];
  const document = await store.documents.find(scene.project, before.id);
  const text = document?.text.trimEnd() ?? '';
  if (text === '') return [];
  const from = startOfEnding(text, room);
  return textPieces(text, { from, to: text.length, cursor: text.length }, sizes).map(
    (piece, index): Fragment<LayerBody> =>
      layerFragment(scene.project, {
        id: `previous:${before.id}:${piece.from}`,
        source: 'document',
        layer: 'immediate',
        section: 'previous',
        rank: endingRank + piece.from - text.length,
        position: piece.from,
        body:
          index === 0
            ? { kind: 'titled', title: before.title, text: piece.text }
            : { kind: 'passage', text: piece.text },
      }),
  );
};

function chapterBefore({ entries = [], documentId, chapter }: Scene): DocumentEntry | undefined {
  const at = entries.findIndex(({ id }) => id === documentId);
  if (at >= 0) return entries[at - 1];
  // A chapter that is not stored yet follows those with smaller numbers.
  return entries.findLast(({ title }) => (chapterNumber(title) ?? Number.POSITIVE_INFINITY) < (chapter ?? 0));
}

function startOfEnding(text: string, units: number): number {
  const from = Math.max(0, text.length - units);
  const line = text.indexOf('\n', from) + 1;
  return from === 0 || line === 0 || line >= text.length ? from : line;
}
