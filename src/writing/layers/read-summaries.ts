// Summaries of accepted texts up to this point of the story, in its order, so that the latest of the story stands last.
import { untold } from '../story/left-out.js';
import { episodesUpTo } from '../story/story-time.js';
import { layerFragment, soundRows, words } from './layer-fragment.js';
import type { ReadLayer } from './layer-source.js';

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
      const id = `summary:${words(summary.id)}`;
      const text = words(summary.text);
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
