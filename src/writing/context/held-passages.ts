// Passages that were shown and are no longer found. They may stay a while, but only word for word as their document has them:
// one whose document changed, was renamed or is gone is not held.
import type { Fragment } from '../../core/model/fragment.js';
import type { LayerBody } from '../layers/layer-body.js';
import { layerFragment } from '../layers/layer-fragment.js';
import type { PressedLayers } from '../layers/press-layers.js';
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
    .map(({ id, title, text }) =>
      layerFragment(scene.project, {
        id,
        source: 'retrieval',
        layer: 'retrieved',
        section: 'retrieved',
        rank: heldRank,
        position: 0,
        body: { kind: 'titled', title, text, isLater: isLater(documentOf(id, scene)) },
      }),
    );
  return held.length === 0 ? exact : { ...exact, fragments: [...exact.fragments, ...held] };
}

/** Found passages of stored documents other than the one being written. */
export function passagesToHold(fragments: readonly Fragment<LayerBody>[], scene: Scene): HeldPassage[] {
  return fragments.flatMap(({ id, layer, levels }) => {
    const body = levels[0]?.body;
    const entry = layer === 'retrieved' ? documentOf(id, scene) : undefined;
    if (entry === undefined || body?.kind !== 'titled') return [];
    return [{ id, title: body.title, text: body.text, document: entry.contentHash }];
  });
}

function isTrue({ id, title, document }: HeldPassage, scene: Scene): boolean {
  const entry = documentOf(id, scene);
  return entry !== undefined && entry.contentHash === document && entry.title === title;
}

function documentOf(id: string, { entries = [], documentId }: Scene) {
  if (!id.startsWith(chunkPrefix)) return undefined;
  const name = id.slice(chunkPrefix.length, id.lastIndexOf('#'));
  return name === documentId ? undefined : entries.find((entry) => entry.id === name);
}
