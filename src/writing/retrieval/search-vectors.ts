// Passages that mean the same in other words, where the user has named an embedding server. Vectors of passages are made in the
// background; only the question is asked for while someone waits, briefly, and remembered.
import { LRUCache } from 'lru-cache';
import { GalleyError, isGalleyError } from '../../core/model/error.js';
import type { Store } from '../../store/store.js';
import type { ChunkHit } from '../../store/tables/chunks.js';
import type { TextVector } from '../../store/tables/vectors.js';

import type { EmbeddingSource } from './embedding-source.js';

import { type RankedChunk, sortRanked } from './rank-chunks.js';

interface VectorQuery {
  readonly project: string;
  readonly about: string;
  readonly limit: number;
  readonly source: EmbeddingSource;
  readonly signal: AbortSignal;
}

interface VectorHits {
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

// Keeps vectors abreast of the retrieval index: texts that no vector is known of are sent in batches, and every batch is
// stored before the next one is asked for, so that nothing is paid for twice.
interface FollowOptions {
  readonly signal?: AbortSignal;
  /** After every batch: texts that have their vectors now, of those that lacked one. */
  readonly onProgress?: (done: number, total: number) => void;
}

const mostTexts = 1_000_000;

export async function followVectors(
  store: Store,
  project: string,
  { source, signal, onProgress }: FollowOptions & { readonly source: EmbeddingSource },
): Promise<void> {
  const { model, batchSize } = source;
  const texts = await store.vectors.missing(project, model, mostTexts);
  for (let from = 0; from < texts.length; from += batchSize) {
    signal?.throwIfAborted();
    const batch = texts.slice(from, from + batchSize);
    const vectors = await source.embed(
      batch.map(({ text }) => text),
      signal === undefined ? {} : { signal },
    );
    await store.vectors.put(
      project,
      model,
      batch.flatMap(({ contentHash }, index) => {
        const vector = vectors[index];
        return vector === undefined ? [] : [{ contentHash, vector }];
      }),
    );
    onProgress?.(from + batch.length, texts.length);
  }
}

const running = new WeakMap<Store, Set<string>>();

/** One at a time for a project; what fails is tried again by the next assembly. */
function followVectorsAside(store: Store, project: string, source: EmbeddingSource): void {
  const projects = running.get(store) ?? new Set<string>();
  running.set(store, projects);
  const key = JSON.stringify([project, source.model]);
  if (projects.has(key)) return;
  projects.add(key);
  void followVectors(store, project, { source })
    .catch(() => undefined)
    .finally(() => projects.delete(key));
}

// Which vectors lie nearest? A plain scan over one typed array: exact, and fast enough for a hundred thousand chunks.
interface VectorTable {
  /** Numbers in a vector; undefined for a table without vectors or with vectors of several sizes. */
  readonly dimensions: number | undefined;
  nearest(query: Float32Array, limit: number): RankedChunk[];
}

export function createVectorTable(
  rows: readonly { readonly id: string; readonly vector: Float32Array }[],
): VectorTable {
  const dimensions = rows[0]?.vector.length ?? 0;
  if (dimensions === 0 || rows.some(({ vector }) => vector.length !== dimensions))
    return { dimensions: undefined, nearest: () => [] };
  const table = new Float32Array(rows.length * dimensions);
  rows.forEach(({ vector }, index) => {
    table.set(normalized(vector), index * dimensions);
  });
  return {
    dimensions,
    nearest(query, limit) {
      const unit = normalized(query);
      const found = rows.map(({ id }, index) => ({ id, score: dot(table, index * dimensions, unit) }));
      return sortRanked(found).slice(0, limit);
    },
  };
}

function normalized(vector: Float32Array): Float32Array {
  let square = 0;
  for (const value of vector) square += value * value;
  const length = Math.sqrt(square);
  return length > 0 ? vector.map((value) => value / length) : vector;
}

function dot(table: Float32Array, offset: number, query: Float32Array): number {
  let sum = 0;
  for (let index = 0; index < query.length; index += 1) sum += table[offset + index]! * query[index]!;
  return sum;
}
