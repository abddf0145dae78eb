// Summaries of recent runs on this document, oldest first, so that new ones are appended.
import { layerFragment, soundRows, words } from './layer-fragment.js';
import type { ReadLayer } from './layer-source.js';

/** As good as the best search result. */
const summaryRank = 1;

export const readSummaries: ReadLayer = async ({ store, scene, wanted, note }) => {
  if (wanted.summaries === 0) return [];
  const on = wanted.summariesOf === 'project' ? undefined : scene.documentId;
  const newestFirst = await store.summaries.recent(scene.project, wanted.summaries, on);
  return soundRows([...newestFirst].reverse(), 'summaries', {
    note,
    read: (summary, position) =>
      layerFragment(scene.project, {
        id: `summary:${words(summary.id)}`,
        source: 'summaries',
        layer: 'retrieved',
        section: 'summaries',
        rank: summaryRank + position / 1_000,
        position,
        body: { kind: 'note', text: words(summary.text) },
      }),
  });
};
