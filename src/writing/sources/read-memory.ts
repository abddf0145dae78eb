// Memory in its three layers: confirmed semantic rules in Settings, cases in Retrieved, working notes in Immediate.
import type { Fragment } from '../../core/model/fragment.js';
import type { MemoryItem } from '../../store/tables/memory.js';
import {
  finite,
  type LayerBody,
  type LayerFragmentDraft,
  layerFragment,
  readOnce,
  soundRows,
  textOf,
} from '../layers/layer-fragment.js';
import type { ReadLayer } from '../layers/layer-source.js';
import { episodesUpTo, untold } from '../story/story-time.js';

/** Nearer than any text: notes are for the task at hand. */
const workingRank = 1_000_000_000;
/** Cases compete with search results, whose best one has rank 1. */
const caseWeight = 0.5;

export const readMemory: ReadLayer = async ({ store, scene, wanted, note, leave }) => {
  const rows = await store.memory.list(scene.project, { confirmed: true });
  const { project, tellsSecret } = scene;
  const { preferences, memory } = wanted;
  const all = readOnce(rows, `memory ${preferences} ${memory} ${project}`, {
    note,
    read: (toNote) =>
      soundRows(rows, 'memory', {
        note: toNote,
        read: (item, position): Fragment<LayerBody> | undefined => {
          const draft = draftOf(item, position);
          const isWanted = item.kind === 'semantic' ? preferences : memory;
          return draft === undefined || !isWanted ? undefined : layerFragment(project, draft);
        },
      }),
  });
  if (tellsSecret === undefined) return all;
  return all.filter((fragment) => {
    const body = fragment.levels[0]?.body;
    if (body?.kind !== 'note' || !tellsSecret(body.text)) return true;
    leave?.(untold(fragment, 'secret'));
    return false;
  });
};

function draftOf(item: MemoryItem, position: number): LayerFragmentDraft | undefined {
  const text = textOf(item.text);
  const confidence = finite(item.confidence);
  if (text === '' || item.confirmed !== true) return undefined;
  const common = {
    id: `memory:${textOf(item.id)}`,
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

// Summaries of accepted texts up to this point of the story, in its order, so that the latest of the story stands last.
/** As good as the best search result. */
const summaryRank = 1;
/** The newest by the clock, of which the story chooses. */
const mostRead = 500;

export const readSummaries: ReadLayer = async ({ store, scene, wanted, note, leave }) => {
  if (wanted.summaries === 0) return [];
  const { project, documentId, entries, indexed } = scene;
  const newestFirst = await store.summaries.recent(
    project,
    Math.max(mostRead, wanted.summaries),
    wanted.summariesOf === 'project' ? undefined : documentId,
  );
  const place = { documentId, entries, opening: indexed.text };
  return soundRows(episodesUpTo(newestFirst, place, wanted.summaries), 'summaries', {
    note,
    read: (summary, position) => {
      const id = `summary:${textOf(summary.id)}`;
      const text = textOf(summary.text);
      if (scene.tellsSecret?.(text)) {
        leave?.(untold({ id, source: 'summaries' }, 'secret'));
        return undefined;
      }
      return layerFragment(project, {
        id,
        source: 'summaries',
        layer: 'retrieved',
        section: 'summaries',
        rank: summaryRank + position / 1_000,
        position,
        body: { kind: 'note', text },
      });
    },
  });
};
