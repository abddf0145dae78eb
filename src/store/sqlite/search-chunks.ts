// The full-text table and one search over a consistent view of it: scores of terms are added up here, and only terms and chunks that
// are not remembered are read.

import { createHash } from 'node:crypto';
import { CompiledQuery, type Kysely, sql, type Transaction } from 'kysely';
import { LRUCache } from 'lru-cache';
import { byCodePoint } from '../../core/model/code-points.js';
import type { ChunkHit, IndexedDocument, SearchOptions, Terms } from '../tables/chunks.js';
import type { EngineWords } from '../tables/migrations.js';
import type { Schema } from '../tables/schema.js';

// As two lists in one row: a row for each chunk would cost more than finding it.
const scoreTerm = `select json_group_array(number) as chunks, json_group_array(score) as scores
  from (select rowid as number, -bm25(chunk_terms) as score from chunk_terms where chunk_terms match ? limit -1)`;
// The numbers lead: by project the planner would walk over all chunks.
const readNumbered = `select c.number, c.id as chunkId, c.document as documentId, c.ordinal, c.first as start, c.past as end, c.text,
  c.content_hash as contentHash
  from json_each(?) wanted cross join chunks c on c.number = wanted.value where +c.project = ?`;
const numbersOf = `select c.number from json_each(?) wanted cross join chunks c
  on c.project = ? and c.document = wanted.value`;

interface ChunkSearch {
  readonly project: string;
  /** Of the project, as its terms carry it. */
  readonly number: number;
  readonly terms: readonly string[];
  readonly memory: TermMemory;
}

export async function findChunks(
  db: Kysely<Schema>,
  search: ChunkSearch,
  { limit, excludeDocument }: SearchOptions,
): Promise<readonly ChunkHit[]> {
  const found = await scoresOf(db, search);
  const sums = addScores(found, await numbersIn(db, search.project, excludeDocument));
  const chunks = await chunksOf(db, search, bestChunks(sums, limit));
  return chunks
    .map((chunk) => hitOf(chunk, sums.get(chunk.number) ?? 0))
    .sort(byMerit)
    .slice(0, limit);
}

/** Named one by one: a copy of the rest costs more than the search. */
function hitOf(chunk: NumberedChunk, score: number): ChunkHit {
  const { chunkId, documentId, ordinal, start, end, text, contentHash } = chunk;
  return { chunkId, documentId, ordinal, start, end, text, contentHash, score };
}

async function scoresOf(db: Kysely<Schema>, { number, terms, memory }: ChunkSearch): Promise<TermScores[]> {
  const all: TermScores[] = [];
  for (const term of terms) {
    const known = memory.terms.get(term) ?? (await scoresFor(db, anyOf(number, [term])));
    memory.terms.set(term, known);
    all.push(known);
  }
  return all;
}

async function scoresFor(db: Kysely<Schema>, match: string): Promise<TermScores> {
  const { rows } = await db.executeQuery<{ chunks: string; scores: string }>(
    CompiledQuery.raw(scoreTerm, [match]),
  );
  const { chunks = '[]', scores = '[]' } = rows[0] ?? {};
  return { chunks: JSON.parse(chunks), scores: JSON.parse(scores) };
}

async function numbersIn(
  db: Kysely<Schema>,
  project: string,
  documents: SearchOptions['excludeDocument'] = [],
): Promise<ReadonlySet<number>> {
  if (documents.length === 0) return new Set();
  const named = JSON.stringify(typeof documents === 'string' ? [documents] : documents);
  const { rows } = await db.executeQuery<{ number: number }>(CompiledQuery.raw(numbersOf, [named, project]));
  return new Set(rows.map(({ number }) => number));
}

async function chunksOf(
  db: Kysely<Schema>,
  { project, memory }: ChunkSearch,
  numbers: readonly number[],
): Promise<readonly NumberedChunk[]> {
  const found: NumberedChunk[] = [];
  const unknown: number[] = [];
  for (const number of numbers) {
    const known = memory.chunks.get(number);
    if (known === undefined) unknown.push(number);
    else found.push(known);
  }
  if (unknown.length === 0) return found;
  const { rows } = await db.executeQuery<NumberedChunk>(
    CompiledQuery.raw(readNumbered, [JSON.stringify(unknown), project]),
  );
  for (const chunk of rows) memory.chunks.set(chunk.number, chunk);
  return [...found, ...rows];
}

function byMerit(left: ChunkHit, right: ChunkHit): number {
  return (
    right.score - left.score || byCodePoint(left.documentId, right.documentId) || left.ordinal - right.ordinal
  );
}

/** Two lists of the same length. */
interface TermScores {
  readonly chunks: readonly number[];
  readonly scores: readonly number[];
}

interface NumberedChunk extends Omit<ChunkHit, 'score'> {
  readonly number: number;
}

/**
 * What a term alone makes of the chunks that hold it, and the chunks that were found, kept while the index of a project
 * stands as it did; the index names its state by what it holds. A search then reads only what is new to it.
 */
interface TermMemory {
  readonly terms: LRUCache<string, TermScores>;
  readonly chunks: LRUCache<number, NumberedChunk>;
}

const maxStates = 8;
const maxPostings = 1_000_000;
const maxChunks = 4_000;

type RecallTerms = (project: string, indexed: readonly IndexedDocument[]) => TermMemory;

export function termMemories(): RecallTerms {
  const memories = new LRUCache<string, TermMemory>({ max: maxStates });
  const names = new WeakMap<readonly IndexedDocument[], string>();
  return (project, indexed) => {
    const name = names.get(indexed) ?? stateOf(project, indexed);
    names.set(indexed, name);
    const known = memories.get(name);
    if (known !== undefined) return known;
    const memory: TermMemory = {
      terms: new LRUCache({ maxSize: maxPostings, sizeCalculation: ({ chunks }) => chunks.length + 1 }),
      chunks: new LRUCache({ max: maxChunks }),
    };
    memories.set(name, memory);
    return memory;
  };
}

function stateOf(project: string, indexed: readonly IndexedDocument[]): string {
  const words = [project, ...indexed.flatMap(({ documentId, contentHash }) => [documentId, contentHash])];
  return createHash('sha256').update(JSON.stringify(words)).digest('hex');
}

/** Added in the order given, so that the same terms give the same sums. */
function addScores(all: Iterable<TermScores>, without: ReadonlySet<number>): ReadonlyMap<number, number> {
  const sums = new Map<number, number>();
  for (const { chunks, scores } of all) {
    for (let index = 0; index < chunks.length; index += 1) {
      const chunk = chunks[index] as number;
      if (!without.has(chunk)) sums.set(chunk, (sums.get(chunk) ?? 0) + (scores[index] ?? 0));
    }
  }
  return sums;
}

/** The best, and all that are as good as the last of them. */
function bestChunks(sums: ReadonlyMap<number, number>, limit: number): number[] {
  if (sums.size <= limit) return [...sums.keys()];
  const ordered = Float64Array.from(sums.values()).sort();
  const least = ordered[ordered.length - limit] ?? 0;
  const best: number[] = [];
  for (const [chunk, score] of sums) if (score >= least) best.push(chunk);
  return best;
}

const signs = `!#$%&()*+,-./:;<=>?@[\\]^_\`{|}~`;

/**
 * The full-text table behind retrieval. Terms carry their project's number, so lists, counts and hits never mix projects.
 * Every printable ASCII sign belongs to its term, as all other scripts do: only white space separates.
 */
export const sqliteWords: EngineWords = {
  counter: 'integer',
  async createSearch(db) {
    await sql
      .raw(
        `create virtual table chunk_terms using fts5(terms, content='', contentless_delete=1, tokenize="ascii tokenchars '${signs}'")`,
      )
      .execute(db);
    await sql.raw(`create virtual table chunk_vocabulary using fts5vocab(chunk_terms, 'row')`).execute(db);
  },
};

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

export function projectTerm(number: number, term: string): string {
  return `${number}x${term}`;
}

function anyOf(number: number, terms: readonly string[]): string {
  return terms.map((term) => `"${projectTerm(number, term)}"`).join(' OR ');
}

export async function forgetChunks(
  db: Transaction<Schema>,
  project: string,
  document: string,
): Promise<void> {
  const place = [project, document];
  await db.executeQuery(
    CompiledQuery.raw(
      'delete from chunk_terms where rowid in (select number from chunks where project = ? and document = ?)',
      place,
    ),
  );
  await db.executeQuery(CompiledQuery.raw('delete from chunks where project = ? and document = ?', place));
  await db.executeQuery(
    CompiledQuery.raw('delete from indexed_documents where project = ? and document = ?', place),
  );
}
