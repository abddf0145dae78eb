// Passages of the project that resemble what is being written. Similarity ranks them, reading order places them; text that
// is read around the cursor anyway is left out.
import type { Fragment } from '../../core/model/fragment.js';
import type { Warning } from '../../core/model/warning.js';
import type { ChunkHit } from '../../store/chunks.js';
import { catchUp } from '../context/follow-documents.js';
import { estimateTokens } from './estimate-tokens.js';
import type { LayerBody } from './layer-body.js';
import { finite, layerFragment, soundRows, words } from './layer-fragment.js';
import type { ReadLayer } from './layer-source.js';
import { mostRetrieved } from './layered-recipe.js';
import { type Scene, textRead } from './scene.js';
import { searchChunks } from './search-chunks.js';
import { searchTerms } from './search-terms.js';

/** Enough for the largest usual window; more candidates would only be given up again. */
const allowanceTokens = 24_000;
/** Passages of the usual size use up the allowance well before; short ones may all be wanted. */
const usualHits = 80;
/** More than may compete, so that what is cut can be told. */
const mostHits = mostRetrieved + 56;
const chapterStride = 1_000_000;

export const readRetrieval: ReadLayer = async ({ store, scene, note }) => {
  const { project, entries = [] } = scene;
  const { behind, indexed } = await catchUp(store, project, entries);
  if (behind > 0) note(staleIndex(behind));
  const titles = new Map(entries.map(({ id, title }) => [id, title]));
  const query = { project, terms: searchTerms(scene), indexed, titles };
  let hits = await searchChunks(store, { ...query, limit: usualHits });
  const offered = hits.reduce((tokens, { text }) => tokens + estimateTokens(text), 0);
  if (hits.length === usualHits && offered < allowanceTokens)
    hits = await searchChunks(store, { ...query, limit: mostHits });
  const best = hits[0]?.score ?? 1;
  const chapters = new Map(entries.map(({ id, title }, index) => [id, { title, index }]));
  const read = textRead(scene);
  let spent = 0;
  return soundRows(hits, 'retrieval', {
    note,
    read: (hit): Fragment<LayerBody> | undefined => {
      const text = words(hit.text);
      if (text === '' || isRead(hit, scene, read)) return undefined;
      spent += estimateTokens(text);
      if (spent > allowanceTokens) return undefined;
      const chapter = chapters.get(hit.documentId);
      return layerFragment(project, {
        id: `chunk:${words(hit.chunkId)}`,
        source: 'retrieval',
        layer: 'retrieved',
        section: 'retrieved',
        rank: finite(hit.score) / (best === 0 ? 1 : best),
        position: (chapter?.index ?? chapters.size) * chapterStride + finite(hit.ordinal),
        body: { kind: 'titled', title: chapter?.title ?? '', text },
      });
    },
  });
};

function staleIndex(documents: number): Warning {
  const message = `RETRIEVAL_STALE: 检索索引正在更新，尚有 ${documents} 个文档`;
  return { code: 'RETRIEVAL_STALE', message, details: { documents } };
}

function isRead(hit: ChunkHit, scene: Scene, read: string): boolean {
  if (hit.documentId !== scene.documentId) return false;
  const { indexed, window } = scene;
  const start = indexed.positionAt(window.from);
  const end = indexed.positionAt(window.to);
  return (hit.start < end && hit.end > start) || read.includes(hit.text);
}
