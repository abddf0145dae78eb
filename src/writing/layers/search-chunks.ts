// Asks the index. Answers and frequencies are remembered as long as the index stands as it did, so that a search that
// repeats costs nothing; the index names its state by the hashes of what it holds.
import { LRUCache } from 'lru-cache';
import { hashText } from '../../meters/content-hash.js';
import type { ChunkHit, IndexedDocument } from '../../store/chunks.js';
import type { Store } from '../../store/store.js';
import { weighQuery, weighScene } from '../retrieval/query.js';
import { type Match, type Ranking, rankChunks } from '../retrieval/rank-chunks.js';
import type { CollectionStatistics } from '../retrieval/statistics.js';
import { termsOf } from '../retrieval/terms.js';
import { type SearchTerms, tellingTerms } from './search-terms.js';

interface IndexMemory {
  readonly frequencies: Map<string, number>;
  chunks: number;
  averageTerms: number;
  readonly answers: LRUCache<string, readonly ChunkHit[]>;
  readonly questions: LRUCache<string, Pick<Ranking, 'query' | 'matches' | 'titles'>>;
}

const memories = new WeakMap<Store, LRUCache<string, IndexMemory>>();
const mostFrequencies = 200_000;
const mostMatches = 1_000;

export interface ChunkQuery {
  readonly project: string;
  readonly terms: SearchTerms;
  readonly limit: number;
  readonly indexed: readonly IndexedDocument[];
  /** By document id. */
  readonly titles: ReadonlyMap<string, string>;
}

export interface FoundChunks {
  readonly hits: readonly ChunkHit[];
  readonly statistics: CollectionStatistics;
}

/** Best first. What the writer asks for is weighed word by word; without a question the index's own order stands. */
export async function searchChunks(store: Store, query: ChunkQuery): Promise<FoundChunks> {
  const { question, asked, scene, fresh } = query.terms;
  const wanted = new Set([...termsOf(question), ...asked, ...scene, ...fresh]);
  const memory = memoryOf(store, query);
  const statistics = statisticsIn(memory);
  if (wanted.size === 0 || query.indexed.length === 0) return { hits: [], statistics };
  if (memory.frequencies.size > mostFrequencies) memory.frequencies.clear();
  const unknown = [...wanted].filter((term) => !memory.frequencies.has(term));
  if (unknown.length > 0) {
    const { chunks, averageTerms, frequencies } = await store.chunks.statistics(query.project, unknown);
    for (const term of unknown) memory.frequencies.set(term, frequencies.get(term.toLowerCase()) ?? 0);
    memory.chunks = chunks;
    memory.averageTerms = averageTerms;
  }
  const terms = tellingTerms(query.terms, memory);
  const key = `${query.limit}\n${terms.join(' ')}`;
  const hits =
    memory.answers.get(key) ??
    (terms.length === 0 ? [] : await store.chunks.search(query.project, terms, { limit: query.limit }));
  memory.answers.set(key, hits);
  return { hits: question === '' ? hits : rankHits(hits, query, { memory, terms, statistics }), statistics };
}

/** Lives on with the memory: terms that are asked for later are known, too. */
function statisticsIn(memory: IndexMemory): CollectionStatistics {
  return {
    get documents() {
      return memory.chunks;
    },
    get averageLength() {
      return memory.averageTerms;
    },
    frequencyOf: (term) => memory.frequencies.get(term) ?? 0,
  };
}

function rankHits(
  hits: readonly ChunkHit[],
  { terms: { question }, titles }: ChunkQuery,
  {
    memory,
    terms,
    statistics,
  }: { memory: IndexMemory; terms: readonly string[]; statistics: CollectionStatistics },
): readonly ChunkHit[] {
  const asked = memory.questions.get(question) ?? {
    query: weighQuery(question, statistics),
    matches: new LRUCache<string, Match>({ max: mostMatches }),
    titles: new LRUCache<string, number>({ max: mostMatches }),
  };
  memory.questions.set(question, asked);
  const candidates = hits.map((hit) => ({
    ...hit,
    id: hit.chunkId,
    title: titles.get(hit.documentId) ?? '',
  }));
  const ranked = rankChunks(candidates, {
    ...asked,
    scene: weighScene(terms, asked.query, statistics),
    averageLength: statistics.averageLength,
  });
  const byId = new Map(hits.map((hit) => [hit.chunkId, hit]));
  return ranked.flatMap(({ id, score }) => {
    const hit = byId.get(id);
    return hit === undefined ? [] : [{ ...hit, score }];
  });
}

const names = new WeakMap<readonly IndexedDocument[], string>();

function stateOf(project: string, indexed: readonly IndexedDocument[]): string {
  return hashText(
    `${project}\n${indexed.map(({ documentId, contentHash }) => `${documentId}\n${contentHash}`).join('\n')}`,
  );
}

function memoryOf(store: Store, { project, indexed }: ChunkQuery): IndexMemory {
  const states = memories.get(store) ?? new LRUCache<string, IndexMemory>({ max: 16 });
  memories.set(store, states);
  const state = names.get(indexed) ?? stateOf(project, indexed);
  names.set(indexed, state);
  const known = states.get(state);
  if (known !== undefined) return known;
  const memory: IndexMemory = {
    frequencies: new Map(),
    chunks: 0,
    averageTerms: 0,
    answers: new LRUCache({ max: 32 }),
    questions: new LRUCache({ max: 8 }),
  };
  states.set(state, memory);
  return memory;
}
