// Passages of the project that resemble what is being written. Similarity ranks them, reading order places them; text that
// is read around the cursor anyway is left out.
import type { Fragment } from '../../core/model/fragment.js';
import type { ChunkHit } from '../../store/chunks.js';
import { catchUp } from '../context/follow-documents.js';
import { estimateTokens } from './estimate-tokens.js';
import type { LayerBody } from './layer-body.js';
import { finite, layerFragment, soundRows, words } from './layer-fragment.js';
import type { ReadLayer } from './layer-source.js';
import { mostRetrieved } from './layered-recipe.js';
import { type Scene, textRead } from './scene.js';
import { searchTerms } from './search-terms.js';

/** Enough for the largest usual window; more candidates would only be given up again. */
const allowanceTokens = 24_000;
/** More than may compete, so that what is cut can be told. */
const asked = mostRetrieved + 56;
const chapterStride = 1_000_000;

export const readRetrieval: ReadLayer = async ({ store, scene, note }) => {
  const entries = scene.entries ?? [];
  const behind = await catchUp(store, scene.project, entries);
  if (behind > 0)
    note({
      code: 'RETRIEVAL_STALE',
      message: `RETRIEVAL_STALE: 检索索引正在更新，尚有 ${behind} 个文档`,
      details: { documents: behind },
    });
  const hits = await store.chunks.search(scene.project, searchTerms(scene), { limit: asked });
  const best = hits[0]?.score ?? 1;
  const titles = new Map(entries.map(({ id, title }, index) => [id, { title, index }]));
  const read = textRead(scene);
  let spent = 0;
  return soundRows(hits, 'retrieval', {
    note,
    read: (hit): Fragment<LayerBody> | undefined => {
      const text = words(hit.text);
      if (text === '' || isRead(hit, scene, read)) return undefined;
      spent += estimateTokens(text);
      if (spent > allowanceTokens) return undefined;
      const chapter = titles.get(hit.documentId);
      return layerFragment(scene.project, {
        id: `chunk:${words(hit.chunkId)}`,
        source: 'retrieval',
        layer: 'retrieved',
        section: 'retrieved',
        rank: finite(hit.score) / (best === 0 ? 1 : best),
        position: (chapter?.index ?? titles.size) * chapterStride + finite(hit.ordinal),
        body: { kind: 'titled', title: chapter?.title ?? '', text },
      });
    },
  });
};

function isRead(hit: ChunkHit, scene: Scene, read: string): boolean {
  if (hit.documentId !== scene.documentId) return false;
  const { indexed, window } = scene;
  const start = indexed.positionAt(window.from);
  const end = indexed.positionAt(window.to);
  return (hit.start < end && hit.end > start) || read.includes(hit.text);
}
