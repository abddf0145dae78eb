// The full-text table and one search over a consistent view of it: only terms and chunks that are not
// remembered are read.

import { CompiledQuery, type Kysely, sql, type Transaction } from 'kysely';
import type { ChunkHit, SearchOptions } from '../tables/chunks.js';
import type { EngineWords } from '../tables/migrations.js';
import type { Schema } from '../tables/schema.js';
import {
  addScores,
  type NumberedChunk,
  rankedHits,
  type TermMemory,
  type TermScores,
} from '../tables/term-scores.js';

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
  const chunks = await chunksOf(db, search, sums.best(limit));
  return rankedHits(chunks, sums, limit);
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
  // The full-text table keeps its own.
  async listTerms() {},
};

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
