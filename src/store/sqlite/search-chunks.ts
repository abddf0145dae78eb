// One search over a consistent view of the index: scores of terms are added up here, and only terms and chunks that are not
// remembered are read.
import { CompiledQuery, type Kysely } from 'kysely';
import { byCodePoint } from '../../core/model/code-point-order.js';
import type { ChunkHit, SearchOptions } from '../chunks.js';
import type { Schema } from '../sql/schema.js';
import { anyOf } from './search-table.js';
import {
  addScores,
  bestChunks,
  type NumberedChunk,
  type TermMemory,
  type TermScores,
} from './term-memory.js';

// As two lists in one row: a row for each chunk would cost more than finding it.
const scoreTerm = `select json_group_array(number) as chunks, json_group_array(score) as scores
  from (select rowid as number, -bm25(chunk_terms) as score from chunk_terms where chunk_terms match ? limit -1)`;
// The numbers lead: by project the planner would walk over all chunks.
const readNumbered = `select c.number, c.id as chunkId, c.document as documentId, c.ordinal, c.first as start, c.past as end, c.text,
  c.content_hash as contentHash
  from json_each(?) wanted cross join chunks c on c.number = wanted.value where +c.project = ?`;
const numbersOf = `select c.number from json_each(?) wanted cross join chunks c
  on c.project = ? and c.document = wanted.value`;

export interface ChunkSearch {
  readonly project: string;
  /** Of the project, as its terms carry it. */
  readonly number: number;
  readonly terms: readonly string[];
  readonly memory: TermMemory;
}

export async function searchChunks(
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
