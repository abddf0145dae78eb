// Passages that mean the same in other words, where the user has named an embedding server. Vectors of passages are made in the
// background; only the question is asked for while someone waits, briefly, and remembered.
import { LRUCache } from 'lru-cache';
import { GalleyError, isGalleyError } from '../../core/model/error.js';
import type { Store } from '../../store/store.js';
import type { ChunkHit } from '../../store/tables/chunks.js';
import type { TextVector } from '../../store/tables/vectors.js';
import { followVectorsAside } from '../context/follow-vectors.js';
import type { EmbeddingSource } from '../retrieval/embedding-source.js';
import { createVectorTable, type VectorTable } from '../retrieval/vectors.js';

export interface VectorQuery {
  readonly project: string;
  readonly about: string;
  readonly limit: number;
  readonly source: EmbeddingSource;
  readonly signal: AbortSignal;
}

export interface VectorHits {
  /** Best first. */
  readonly hits: readonly ChunkHit[];
  /** Some passages have no vector yet. */
  readonly behind: boolean;
}

/** Well below what a source of a layer is given, so that a slow server never costs the other passages. */
const timeLimitMs = 2_000;
/** After a server was too slow nobody waits for it for a while. */
const pauseSearches = 16;

export async function searchVectors(store: Store, query: VectorQuery): Promise<VectorHits> {
  const { project, about, limit, source } = query;
  if (about === '') return { hits: [], behind: false };
  const behind = (await store.vectors.missing(project, source.model, 1)).length > 0;
  const known = await store.vectors.list(project, source.model);
  if (known.length === 0 && !behind) return { hits: [], behind };
  const vector = await vectorOf(about, query);
  if (behind) followVectorsAside(store, project, source);
  if (known.length === 0) return { hits: [], behind };
  const table = tableOf(known);
  if (table.dimensions !== vector.length) {
    // The model behind the name has changed: what it said before is of no use.
    await store.vectors.forget(project, source.model);
    throw new GalleyError('MODEL_ANSWER_INVALID', 'The embedding server changed the size of its vectors.');
  }
  const nearest = table.nearest(vector, limit);
  const scores = new Map(nearest.map(({ id, score }) => [id, score]));
  const chunks = await store.chunks.holding(project, [...scores.keys()]);
  const hits = chunks.map(({ id, ...chunk }) => ({
    ...chunk,
    chunkId: id,
    score: scores.get(chunk.contentHash) ?? 0,
  }));
  return { hits: hits.sort((a, b) => b.score - a.score), behind };
}

const tables = new WeakMap<readonly TextVector[], VectorTable>();

function tableOf(known: readonly TextVector[]): VectorTable {
  const table =
    tables.get(known) ??
    createVectorTable(known.map(({ contentHash, vector }) => ({ id: contentHash, vector })));
  tables.set(known, table);
  return table;
}

interface SourceMemory {
  readonly asked: LRUCache<string, Float32Array>;
  pause: number;
}

const memories = new WeakMap<EmbeddingSource, SourceMemory>();

async function vectorOf(about: string, { source, signal }: VectorQuery): Promise<Float32Array> {
  const memory = memories.get(source) ?? { asked: new LRUCache({ max: 256 }), pause: 0 };
  memories.set(source, memory);
  const known = memory.asked.get(about);
  if (known !== undefined) return known;
  if (memory.pause > 0) {
    memory.pause -= 1;
    throw new GalleyError(
      'MODEL_UNAVAILABLE',
      'The embedding server was too slow; it is left alone for a while.',
    );
  }
  try {
    const [vector] = await source.embed([about], { signal, timeLimitMs });
    if (vector === undefined) throw new GalleyError('MODEL_ANSWER_INVALID', 'The answer holds no vector.');
    memory.asked.set(about, vector);
    return vector;
  } catch (error) {
    if (isGalleyError(error) && error.code === 'TIMEOUT') memory.pause = pauseSearches;
    throw error;
  }
}
