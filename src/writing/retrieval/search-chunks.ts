// Asks the index. What leads and what the scene is about are searched for on their own, so that neither crowds out the other, and
// everything found is weighed word by word; what shares too little with what leads is no find. Answers and frequencies are
// remembered as long as the index stands as it did; the index names its state by the hashes of what it holds.
import { LRUCache } from 'lru-cache';
import { hashText } from '../../meters/content-hash.js';
import type { Store } from '../../store/store.js';
import type { ChunkHit, ChunkIndex, IndexedDocument } from '../../store/tables/chunks.js';
import {
  type CollectionStatistics,
  focusPen,
  focusQuery,
  weighPen,
  weighQuery,
  weighScene,
} from './query.js';
import { type ChunkMatch, type Ranking, rankChunks } from './rank-chunks.js';
import { type SearchTerms, smallCollection, tellingTerms } from './search-terms.js';
import { termsOf } from './terms.js';

interface IndexMemory {
  readonly frequencies: Map<string, number>;
  chunks: number;
  averageTerms: number;
  readonly answers: LRUCache<string, readonly ChunkHit[]>;
  readonly questions: LRUCache<string, Question>;
}

/** What a question comes to in a collection, and what it made of passages. */
interface Question extends Pick<Ranking, 'query' | 'matches' | 'titles'> {
  readonly focus: ReadonlyMap<string, number>;
}

/** By index: a store is made anew around it for every folder. */
const memories = new WeakMap<ChunkIndex, LRUCache<string, IndexMemory>>();
const mostFrequencies = 200_000;
const mostMatches = 1_000;
/** Of the finds, so many may be owed to the scene alone. */
const sceneShare = 0.5;
/** What is worth less than this part of the best find would only fill room. */
const leastShare = 0.33;

export interface ChunkQuery {
  readonly project: string;
  readonly terms: SearchTerms;
  readonly limit: number;
  readonly indexed: readonly IndexedDocument[];
  /** By document id. */
  readonly titles: ReadonlyMap<string, string>;
  /** Places of documents in the story. */
  readonly chapters?: ReadonlyMap<string, number>;
  /** Documents that nothing is looked for in. */
  readonly outside: readonly string[];
  /** Passages that are not in the index. */
  readonly own?: readonly ChunkHit[];
}

export interface FoundChunks {
  /** Best first. */
  readonly hits: readonly ChunkHit[];
  /** How much a term tells inside of a passage; the same one while what leads and the collection stay. */
  readonly focus: ReadonlyMap<string, number>;
}

export async function findPassages(store: Store, query: ChunkQuery): Promise<FoundChunks> {
  const { lead, asked, scene, fresh } = query.terms;
  const memory = memoryOf(store, query);
  const statistics = statisticsIn(memory);
  const wanted = new Set([...lead.flatMap(({ text }) => termsOf(text)), ...asked, ...scene, ...fresh]);
  if (wanted.size === 0 || (query.indexed.length === 0 && !query.own?.length))
    return { hits: [], focus: focusOf(query.terms, statistics) };
  await learnFrequencies(store, { project: query.project, wanted, memory });
  const leading = tellingTerms(asked, 'asked', memory);
  const around = [...tellingTerms(scene, 'scene', memory), ...tellingTerms(fresh, 'fresh', memory)];
  const found = await Promise.all([
    answerTo(store, query, { terms: leading, limit: query.limit, memory }),
    answerTo(store, query, { terms: around, limit: Math.ceil(query.limit * sceneShare), memory }),
  ]);
  const hits = [
    ...new Map([...found.flat(), ...(query.own ?? [])].map((hit) => [hit.chunkId, hit])).values(),
  ];
  const question = questionIn(memory, query.terms, statistics);
  const ranked = rankHits(hits, query, { memory, question, terms: [...leading, ...around], statistics });
  return { hits: ranked, focus: question.focus };
}

function questionIn(memory: IndexMemory, terms: SearchTerms, statistics: CollectionStatistics): Question {
  const { question, lead } = terms;
  const name = lead.map(({ text, weight }) => `${weight} ${text}`).join('\n');
  const known = memory.questions.get(name);
  if (known !== undefined) return known;
  const fresh = {
    query: question === '' ? weighPen(lead, statistics) : weighQuery(question, statistics),
    focus: focusOf(terms, statistics),
    matches: new LRUCache<string, ChunkMatch>({ max: mostMatches }),
    titles: new LRUCache<string, number>({ max: mostMatches }),
  };
  memory.questions.set(name, fresh);
  return fresh;
}

function focusOf(
  { question, lead }: SearchTerms,
  statistics: CollectionStatistics,
): ReadonlyMap<string, number> {
  return question === '' ? focusPen(lead, statistics) : focusQuery(question, statistics);
}

async function learnFrequencies(
  store: Store,
  { project, wanted, memory }: { project: string; wanted: ReadonlySet<string>; memory: IndexMemory },
): Promise<void> {
  if (memory.frequencies.size > mostFrequencies) memory.frequencies.clear();
  const unknown = [...wanted].filter((term) => !memory.frequencies.has(term));
  if (unknown.length === 0) return;
  const { chunks, averageTerms, frequencies } = await store.chunks.statistics(project, unknown);
  for (const term of unknown) memory.frequencies.set(term, frequencies.get(term.toLowerCase()) ?? 0);
  memory.chunks = chunks;
  memory.averageTerms = averageTerms;
}

async function answerTo(
  store: Store,
  { project, outside }: ChunkQuery,
  { terms, limit, memory }: { terms: readonly string[]; limit: number; memory: IndexMemory },
): Promise<readonly ChunkHit[]> {
  if (terms.length === 0) return [];
  const key = `${limit}\n${terms.join(' ')}\n${JSON.stringify(outside)}`;
  const known = memory.answers.get(key);
  if (known !== undefined) return known;
  const hits = await store.chunks.search(project, terms, { limit, excludeDocument: outside });
  memory.answers.set(key, hits);
  return hits;
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
  { terms: { question: asked }, titles, chapters }: ChunkQuery,
  {
    memory,
    question,
    terms,
    statistics,
  }: {
    memory: IndexMemory;
    question: Question;
    terms: readonly string[];
    statistics: CollectionStatistics;
  },
): readonly ChunkHit[] {
  // Named one by one: a copy of the rest costs more than the ranking.
  const candidates = hits.map(({ chunkId: id, documentId, ordinal, text, contentHash }) => ({
    id,
    documentId,
    ordinal,
    text,
    contentHash,
    title: titles.get(documentId) ?? '',
    // A question may ask for what happened last.
    chapter: asked === '' ? (chapters?.get(documentId) ?? 0) : undefined,
  }));
  const ranked = rankChunks(candidates, {
    query: question.query,
    matches: question.matches,
    titles: question.titles,
    scene: weighScene(terms, question.query, statistics),
    averageLength: statistics.averageLength,
  });
  const byId = new Map(hits.map((hit) => [hit.chunkId, hit]));
  const least = memory.chunks > smallCollection ? leastShare * (ranked[0]?.score ?? 0) : 0;
  const best: ChunkHit[] = [];
  for (const { id, score } of ranked) {
    const hit = byId.get(id);
    if (hit !== undefined && score > 0 && score >= least) best.push({ ...hit, score });
  }
  return best;
}

const names = new WeakMap<readonly IndexedDocument[], string>();

function stateOf(project: string, indexed: readonly IndexedDocument[]): string {
  return hashText(
    `${project}\n${indexed.map(({ documentId, contentHash }) => `${documentId}\n${contentHash}`).join('\n')}`,
  );
}

function memoryOf({ chunks }: Store, { project, indexed }: ChunkQuery): IndexMemory {
  const states = memories.get(chunks) ?? new LRUCache<string, IndexMemory>({ max: 16 });
  memories.set(chunks, states);
  const state = names.get(indexed) ?? stateOf(project, indexed);
  names.set(indexed, state);
  const known = states.get(state);
  if (known !== undefined) return known;
  const memory: IndexMemory = {
    frequencies: new Map(),
    chunks: 0,
    averageTerms: 0,
    answers: new LRUCache({ max: 64 }),
    questions: new LRUCache({ max: 8 }),
  };
  states.set(state, memory);
  return memory;
}
