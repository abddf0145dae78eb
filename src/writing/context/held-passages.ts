// Passages that were shown and are no longer found. They may stay a while, but only word for word as their document has them:
// one whose document changed, was renamed or is gone is not held, nor one of the text at hand that is read anyway.
import type { Fragment, Ref } from '../../core/model/fragment.js';
import type { LayerBody } from '../layers/layer-body.js';
import { layerFragment } from '../layers/layer-fragment.js';
import type { PressedLayers } from '../layers/press-layers.js';
import { linesOf } from '../layers/refs.js';
import { laterThan, type Scene } from '../layers/scene.js';
import type { HeldPassage } from './prompt-history.js';

const chunkPrefix = 'chunk:';
/** Below everything that is found. */
export const heldRank = 0;

/** What was offered, and behind it what was shown before and is still true. */
export function withHeldPassages(
  exact: PressedLayers,
  passages: readonly HeldPassage[],
  scene: Scene,
): PressedLayers {
  const offered = new Set(exact.fragments.map(({ id }) => id));
  const isLater = laterThan(scene);
  const mayBeTold = ({ id, text }: HeldPassage) =>
    (scene.later === 'marked' || !isLater(documentOf(id, scene))) && !scene.tellsSecret?.(text);
  const held = passages
    .filter((passage) => !offered.has(passage.id) && isTrue(passage, scene) && mayBeTold(passage))
    .map(({ id, title, text, ref }) =>
      layerFragment(scene.project, {
        id,
        source: 'retrieval',
        layer: 'retrieved',
        section: 'retrieved',
        rank: heldRank,
        position: 0,
        body: { kind: 'titled', title, text, isLater: isLater(documentOf(id, scene)) },
        ...(ref === undefined ? {} : { ref: refOf(id, ref, { text, scene }) }),
      }),
    );
  return held.length === 0 ? exact : { ...exact, fragments: [...exact.fragments, ...held] };
}

/** Found passages as they were shown. */
export function passagesToHold(fragments: readonly Fragment<LayerBody>[], scene: Scene): HeldPassage[] {
  return fragments.flatMap(({ id, section, levels, ref }) => {
    const body = levels[0]?.body;
    if (section !== 'retrieved' || body?.kind !== 'titled') return [];
    const document = isOwn(id, scene) ? '' : documentOf(id, scene)?.contentHash;
    if (document === undefined) return [];
    const { title, text } = body;
    return [{ id, title, text, document, ...(ref === undefined ? {} : { ref: placeOf(ref) }) }];
  });
}

function placeOf({ path, lines }: Ref): HeldPassage['ref'] {
  return lines === undefined ? { path } : { path, lines: { start: lines.start, end: lines.end } };
}

function isTrue({ id, title, text, document }: HeldPassage, scene: Scene): boolean {
  const entry = documentOf(id, scene);
  if (isOwn(id, scene)) return (entry?.title ?? '') === title && ownPlace(text, scene) >= 0;
  return entry !== undefined && entry.contentHash === document && entry.title === title;
}

/** Lines of the text at hand move with every edit; those of others are as they were. */
function refOf(
  id: string,
  { path, lines }: NonNullable<HeldPassage['ref']>,
  { text, scene }: { text: string; scene: Scene },
): Ref {
  if (!isOwn(id, scene)) return lines === undefined ? { path } : { path, lines };
  const at = ownPlace(text, scene);
  return { path, lines: linesOf(scene.indexed.text, at, at + text.length) };
}

/** Before what is read of the text at hand. */
function ownPlace(text: string, { indexed, window }: Scene): number {
  const at = indexed.text.indexOf(text);
  return at + text.length <= window.from ? at : -1;
}

function isOwn(id: string, { documentId }: Scene): boolean {
  return nameIn(id) === documentId;
}

function documentOf(id: string, { entries = [] }: Scene) {
  return entries.find((entry) => entry.id === nameIn(id));
}

function nameIn(id: string): string | undefined {
  return id.startsWith(chunkPrefix) ? id.slice(chunkPrefix.length, id.lastIndexOf('#')) : undefined;
}
