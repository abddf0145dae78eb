// Passages of the project that resemble what is being written. Similarity ranks them, reading order places them; text that
// is read around the cursor anyway is left out.
import type { Fragment } from '../../core/model/fragment.js';
import type { Warning } from '../../core/model/warning.js';
import type { ChunkHit } from '../../store/chunks.js';
import { catchUp } from '../context/follow-documents.js';
import { fuseRanks } from '../retrieval/fuse-ranks.js';
import { estimateTokens } from './estimate-tokens.js';
import type { LayerBody } from './layer-body.js';
import { finite, layerFragment, soundRows, words } from './layer-fragment.js';
import type { LayerInputs, ReadLayer } from './layer-source.js';
import { mostRetrieved } from './layered-recipe.js';
import { outages } from './outages.js';
import { laterThan, type Scene, textRead } from './scene.js';
import { searchChunks } from './search-chunks.js';
import { searchTerms } from './search-terms.js';
import { searchVectors } from './search-vectors.js';

/** Enough for the largest usual window; more candidates would only be given up again. */
const allowanceTokens = 24_000;
/** Passages of the usual size use up the allowance well before; short ones may all be wanted. */
const usualHits = 80;
/** More than may compete, so that what is cut can be told. */
const mostHits = mostRetrieved + 56;
const chapterStride = 1_000_000;

export const readRetrieval: ReadLayer = async (inputs, signal) => {
  const { store, scene, note } = inputs;
  const { project, entries = [] } = scene;
  const { behind, indexed } = await catchUp(store, project, entries);
  if (behind > 0) note(staleIndex(behind));
  const titles = new Map(entries.map(({ id, title }) => [id, title]));
  const terms = searchTerms(scene);
  const query = { project, terms, indexed, titles };
  const found = await searchChunks(store, { ...query, limit: usualHits });
  if (terms.question !== '') inputs.asked?.({ text: terms.question, statistics: found.statistics });
  let { hits } = found;
  const offered = hits.reduce((tokens, { text }) => tokens + estimateTokens(text), 0);
  if (hits.length === usualHits && offered < allowanceTokens)
    ({ hits } = await searchChunks(store, { ...query, limit: mostHits }));
  hits = await withLikeOnes(hits, inputs, { about: terms.about, signal });
  const best = hits[0]?.score ?? 1;
  const chapters = new Map(entries.map((entry, index) => [entry.id, { entry, index }]));
  const isLater = laterThan(scene);
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
        body: {
          kind: 'titled',
          title: chapter?.entry.title ?? '',
          text,
          isLater: isLater(chapter?.entry),
        },
      });
    },
  });
};

/** Found by words and found by meaning, in one ranking; by words alone when the server has nothing to say. */
async function withLikeOnes(
  hits: readonly ChunkHit[],
  { store, scene: { project }, embeddings: source, note }: LayerInputs,
  { about, signal }: { about: string; signal: AbortSignal },
): Promise<readonly ChunkHit[]> {
  if (source === undefined) return hits;
  try {
    const limit = usualHits;
    const { hits: like, behind } = await searchVectors(store, { project, about, limit, source, signal });
    if (behind) note(staleVectors);
    return like.length === 0 ? hits : fuseHits(hits, like).slice(0, Math.max(hits.length, limit));
  } catch {
    signal.throwIfAborted();
    note(outages.embeddings);
    return hits;
  }
}

function fuseHits(...rankings: readonly (readonly ChunkHit[])[]): ChunkHit[] {
  const byId = new Map(rankings.flat().map((hit) => [hit.chunkId, hit]));
  const fused = fuseRanks(rankings.map((hits) => hits.map(({ chunkId }) => ({ id: chunkId }))));
  return fused.flatMap(({ id, score }) => {
    const hit = byId.get(id);
    return hit === undefined ? [] : [{ ...hit, score }];
  });
}

const staleVectors: Warning = {
  code: 'RETRIEVAL_STALE',
  message: 'RETRIEVAL_STALE: 语义索引正在更新',
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
