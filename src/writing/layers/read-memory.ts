// Memory in its three layers: confirmed semantic rules in Settings, cases in Retrieved, working notes in Immediate.
import type { Fragment } from '../../core/model/fragment.js';
import type { MemoryItem } from '../../store/tables/memory.js';
import { untold } from '../story/left-out.js';
import type { LayerBody } from './layer-body.js';
import { finite, type LayerFragmentDraft, layerFragment, soundRows, words } from './layer-fragment.js';
import type { LayerInputs, ReadLayer } from './layer-source.js';

/** Nearer than any text: notes are for the task at hand. */
const workingRank = 1_000_000_000;
/** Cases compete with search results, whose best one has rank 1. */
const caseWeight = 0.5;

export const readMemory: ReadLayer = async ({ store, scene, wanted, note, leave }) => {
  const rows = await store.memory.list(scene.project, { confirmed: true });
  return soundRows(rows, 'memory', {
    note,
    read: (item, position): Fragment<LayerBody> | undefined => {
      const draft = draftOf(item, position);
      const isWanted = item.kind === 'semantic' ? wanted.preferences : wanted.memory;
      if (draft === undefined || !isWanted) return undefined;
      if (scene.tellsSecret?.(words(item.text))) return leaveSecret(draft, leave);
      return layerFragment(scene.project, draft);
    },
  });
};

function leaveSecret(draft: LayerFragmentDraft, leave: LayerInputs['leave']): undefined {
  leave?.(untold(draft, 'secret'));
}

function draftOf(item: MemoryItem, position: number): LayerFragmentDraft | undefined {
  const text = words(item.text);
  const confidence = finite(item.confidence);
  if (text === '' || item.confirmed !== true) return undefined;
  const common = {
    id: `memory:${words(item.id)}`,
    source: `memory/${item.kind}`,
    position,
    body: { kind: 'note', text } as const,
  };
  switch (item.kind) {
    case 'semantic':
      return { ...common, layer: 'settings', section: 'preferences', rank: confidence };
    case 'episodic':
      return { ...common, layer: 'retrieved', section: 'cases', rank: confidence * caseWeight };
    case 'working':
      return { ...common, layer: 'immediate', section: 'working-memory', rank: workingRank + position };
  }
}
