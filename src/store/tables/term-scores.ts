// What terms make of chunks, whichever engine found them: scores are added up here, ties are settled, and what is known of a term
// is kept as long as the index stands as it did.
import { createHash } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import { byCodePoint } from '../../core/model/code-points.js';
import type { ChunkHit, IndexedDocument, Terms } from './chunks.js';

/** Two lists of the same length. */
export interface TermScores {
  readonly chunks: ArrayLike<number>;
  readonly scores: ArrayLike<number>;
}

export interface NumberedChunk extends Omit<ChunkHit, 'score'> {
  readonly number: number;
}

interface Remembered<Key, Value> {
  get(key: Key): Value | undefined;
  set(key: Key, value: Value): void;
}

/**
 * What a term alone makes of the chunks that hold it, and the chunks that were found, kept while the index of a project
 * stands as it did; the index names its state by what it holds. A search then reads only what is new to it.
 */
export interface TermMemory {
  readonly terms: Remembered<string, TermScores>;
  readonly chunks: Remembered<number, NumberedChunk>;
}

const maxStates = 64;

/** Of all projects together, so that a large one that is asked often keeps its common terms. */
export interface MemoryBounds {
  /** Each 16 bytes. */
  readonly maxPostings: number;
  readonly maxChunks: number;
}

const usualBounds: MemoryBounds = { maxPostings: 5_000_000, maxChunks: 16_000 };

export type RecallTerms = (project: string, indexed: readonly IndexedDocument[]) => TermMemory;

export function termMemories({ maxPostings, maxChunks } = usualBounds): RecallTerms {
  const terms = new LRUCache<string, TermScores>({
    maxSize: maxPostings,
    sizeCalculation: ({ chunks }) => chunks.length + 1,
  });
  const chunks = new LRUCache<string, NumberedChunk>({ max: maxChunks });
  const memories = new LRUCache<string, TermMemory>({ max: maxStates });
  const names = new WeakMap<readonly IndexedDocument[], string>();
  return (project, indexed) => {
    const name = names.get(indexed) ?? stateOf(project, indexed);
    names.set(indexed, name);
    const known = memories.get(name);
    if (known !== undefined) return known;
    const memory: TermMemory = { terms: partOf(terms, name), chunks: partOf(chunks, name) };
    memories.set(name, memory);
    return memory;
  };
}

function partOf<Key extends string | number, Value extends object>(
  all: LRUCache<string, Value>,
  name: string,
): Remembered<Key, Value> {
  return {
    get: (key) => all.get(`${name} ${key}`),
    set: (key, value) => all.set(`${name} ${key}`, value),
  };
}

function stateOf(project: string, indexed: readonly IndexedDocument[]): string {
  const words = [project, ...indexed.flatMap(({ documentId, contentHash }) => [documentId, contentHash])];
  return createHash('sha256').update(JSON.stringify(words)).digest('hex');
}

/** What chunks came to; none comes to nothing. */
export interface ScoreSums {
  of(chunk: number): number;
  /** The best, and all that are as good as the last of them. */
  best(limit: number): number[];
}

/** As many places for one hit may be empty where sums stand in a row; that is far faster than finding them by number. */
const sparsest = 16;

/** Added in the order given, so that the same terms give the same sums. */
export function addScores(all: readonly TermScores[], without: ReadonlySet<number>): ScoreSums {
  let [first, last, hits] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY, 0];
  for (const { chunks } of all) {
    hits += chunks.length;
    for (let index = 0; index < chunks.length; index += 1) {
      const chunk = chunks[index] as number;
      if (chunk < first) first = chunk;
      if (chunk > last) last = chunk;
    }
  }
  return hits > 0 && last - first < sparsest * hits
    ? sumsInRow(all, without, [first, last])
    : sumsByNumber(all, without);
}

function sumsInRow(
  all: readonly TermScores[],
  without: ReadonlySet<number>,
  [first, last]: readonly [number, number],
): ScoreSums {
  const sums = new Float64Array(last - first + 1);
  for (const { chunks, scores } of all) {
    for (let index = 0; index < chunks.length; index += 1) {
      const place = (chunks[index] as number) - first;
      sums[place] = (sums[place] as number) + (scores[index] as number);
    }
  }
  for (const chunk of without) if (chunk >= first && chunk <= last) sums[chunk - first] = 0;
  return {
    of: (chunk) => sums[chunk - first] ?? 0,
    best(limit) {
      const least = nthBest(sums, limit);
      const best: number[] = [];
      for (let place = 0; place < sums.length; place += 1) {
        const sum = sums[place] as number;
        if (sum > 0 && sum >= least) best.push(first + place);
      }
      return best;
    },
  };
}

function sumsByNumber(all: readonly TermScores[], without: ReadonlySet<number>): ScoreSums {
  const sums = new Map<number, number>();
  for (const { chunks, scores } of all) {
    for (let index = 0; index < chunks.length; index += 1) {
      const chunk = chunks[index] as number;
      if (!without.has(chunk)) sums.set(chunk, (sums.get(chunk) ?? 0) + (scores[index] as number));
    }
  }
  return {
    of: (chunk) => sums.get(chunk) ?? 0,
    best(limit) {
      const least = nthBest(sums.values(), limit);
      const best: number[] = [];
      for (const [chunk, sum] of sums) if (sum >= least) best.push(chunk);
      return best;
    },
  };
}

/** Nought where fewer came to anything. The best so far lie in a heap, the least of them on top: sorting all costs more than adding them up. */
function nthBest(sums: Iterable<number>, limit: number): number {
  const heap = new Float64Array(limit);
  for (const sum of sums) {
    if (sum <= (heap[0] as number)) continue;
    let place = 0;
    for (let child = 1; child < limit; child = 2 * place + 1) {
      if (child + 1 < limit && (heap[child + 1] as number) < (heap[child] as number)) child += 1;
      if ((heap[child] as number) >= sum) break;
      heap[place] = heap[child] as number;
      place = child;
    }
    heap[place] = sum;
  }
  return heap[0] ?? 0;
}

/** The best first; ties by document, then place. */
export function rankedHits(chunks: readonly NumberedChunk[], sums: ScoreSums, limit: number): ChunkHit[] {
  return chunks
    .map((chunk) => hitOf(chunk, sums.of(chunk.number)))
    .sort(byMerit)
    .slice(0, limit);
}

/** Named one by one: a copy of the rest costs more than the search. */
function hitOf(chunk: NumberedChunk, score: number): ChunkHit {
  const { chunkId, documentId, ordinal, start, end, text, contentHash } = chunk;
  return { chunkId, documentId, ordinal, start, end, text, contentHash, score };
}

function byMerit(left: ChunkHit, right: ChunkHit): number {
  return (
    right.score - left.score || byCodePoint(left.documentId, right.documentId) || left.ordinal - right.ordinal
  );
}

/** Distinct, in lower case, in order of first appearance. Quotes separate: the index cannot hold them. */
export function distinctTerms(terms: Terms): string[] {
  return [...new Set(splitTerms(typeof terms === 'string' ? terms : terms.join(' ')))];
}

export function splitTerms(terms: string): string[] {
  return terms
    .toLowerCase()
    .split(/[\s"'\p{Cc}]+/u)
    .filter((term) => term !== '');
}
