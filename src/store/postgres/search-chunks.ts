// Full text without a parser of the server: the caller's terms as they are, found by project and term. What a term tells of a
// chunk is weighed here, by the same formula as in the embedded store, from counts of the project alone.
import { createHash } from 'node:crypto';
import { CompiledQuery, type Kysely, sql, type Transaction } from 'kysely';
import { GalleyError } from '../../core/model/error.js';
import type { SearchOptions } from '../tables/chunks.js';
import type { EngineWords } from '../tables/migrations.js';
import type { Schema } from '../tables/schema.js';
import type { NumberedChunk, TermScores } from '../tables/term-scores.js';
import { readLists } from './term-lists.js';

/** Where more chunks than asked for hold a term, they are only counted. */
const listsOf = `select w.place::int - 1 as place, sum(l.holders) as holders,
    case when sum(l.holders) <= $3 then string_agg(int8send(l.block) || int4send(l.holders) || l.packed, ''::bytea) end as packed
  from unnest($2::text[]) with ordinality w(term, place)
  cross join lateral (select block, holders, packed from chunk_lists
    where project = (select number from projects where id = $1) and term = w.term collate "C" offset 0) l
  group by w.place`;
/**
 * `offset 0` keeps the planner from turning the loop around when there are many terms: it would look for each in the terms of
 * every chunk of the project, a thousand times slower.
 */
const looseOf = `select w.place::int - 1 as place, count(*) as holders,
    case when count(*) <= $3 then json_build_array(array_agg(c.number), array_agg(c.length),
      array_agg(coalesce((c.repeated ->> w.term)::int, 1))) end as chunks
  from unnest($2::text[]) with ordinality w(term, place)
  cross join lateral (select number, length, repeated from chunk_terms
    where project = (select number from projects where id = $1) and terms @> array[w.term] offset 0) c
  group by w.place`;
const totalsOf = `select coalesce(sum(chunks), 0) as chunks, coalesce(sum(terms), 0) as terms
  from indexed_documents where project = $1`;
const numbersOf = 'select number from chunks where project = $1 and document = any($2::text[])';
const readNumbered = `select number, id as "chunkId", document as "documentId", ordinal, first as start, past as "end", text,
  content_hash as "contentHash" from chunks where project = $1 and number = any($2::bigint[])`;

interface FoundLists {
  readonly place: number;
  /** How many chunks hold the term. */
  readonly holders: number;
  readonly packed: Buffer | null;
}

interface FoundLoose {
  readonly place: number;
  readonly holders: number;
  /** Numbers, lengths and counts. */
  readonly chunks: readonly [readonly number[], readonly number[], readonly number[]] | null;
}

/** What is known of a term: how many chunks hold it, and what it makes of them where these are not too many. */
export interface FoundTerm {
  readonly holders: number;
  readonly scores?: TermScores;
}

interface Question {
  readonly project: string;
  readonly terms: readonly string[];
}

const rowsOf = async <Row>(db: Kysely<Schema>, text: string, values: readonly unknown[]): Promise<Row[]> =>
  (await db.executeQuery<Row>(CompiledQuery.raw(text, [...values]))).rows;

/** For each term in its place; scores where at most so many chunks hold it. */
export async function findTerms(
  db: Kysely<Schema>,
  { project, terms }: Question,
  most = Number.MAX_SAFE_INTEGER,
): Promise<readonly FoundTerm[]> {
  if (terms.length === 0) return [];
  const values = [project, terms.map(keptTerm), most];
  const [lists, loose, totals] = await Promise.all([
    rowsOf<FoundLists>(db, listsOf, values),
    rowsOf<FoundLoose>(db, looseOf, values),
    rowsOf<{ chunks: number; terms: number }>(db, totalsOf, [project]),
  ]);
  const { chunks = 0, terms: length = 0 } = totals[0] ?? {};
  const listed = new Map(lists.map((each) => [each.place, each]));
  const rest = new Map(loose.map((each) => [each.place, each]));
  return terms.map((_, place) => {
    const [inLists, besides] = [listed.get(place), rest.get(place)];
    const holders = (inLists?.holders ?? 0) + (besides?.holders ?? 0);
    // Counted, not read.
    if (inLists?.packed === null || besides?.chunks === null) return { holders };
    const weigh = scoring(holders, { chunks, average: length / chunks });
    return { holders, scores: scoresOf({ holders, packed: inLists?.packed, loose: besides?.chunks }, weigh) };
  });
}

interface Postings {
  readonly holders: number;
  readonly packed: Buffer | undefined;
  readonly loose: FoundLoose['chunks'] | undefined;
}

type Scoring = (count: number, length: number) => number;

/** Weighed as they are read: a common term has as many postings as there are chunks, and lists of them are what a search waits for. */
function scoresOf({ holders, packed, loose }: Postings, weigh: Scoring): TermScores {
  const [chunks, scores] = [new Float64Array(holders), new Float64Array(holders)];
  let next = 0;
  const add = (chunk: number, count: number, length: number) => {
    chunks[next] = chunk;
    scores[next] = weigh(count, length);
    next += 1;
  };
  if (packed !== undefined) readLists(packed, add);
  const [numbers, lengths, counts] = loose ?? [[], [], []];
  for (const [at, number] of numbers.entries()) add(number, counts[at] as number, lengths[at] as number);
  return { chunks, scores };
}

const saturation = 1.2;
const lengthShare = 0.75;

/** BM25 as the embedded store's full text has it. */
function scoring(
  holders: number,
  { chunks, average }: { readonly chunks: number; readonly average: number },
): Scoring {
  const rarity = Math.log((chunks - holders + 0.5) / (holders + 0.5));
  const weight = rarity <= 0 ? 1e-6 : rarity;
  return (count, length) => {
    const size = 1 - lengthShare + (lengthShare * length) / average;
    return weight * ((count * (saturation + 1)) / (count + saturation * size));
  };
}

export async function numbersIn(
  db: Kysely<Schema>,
  project: string,
  documents: SearchOptions['excludeDocument'] = [],
): Promise<ReadonlySet<number>> {
  const named = typeof documents === 'string' ? [documents] : documents;
  if (named.length === 0) return new Set();
  const rows = await rowsOf<{ number: number }>(db, numbersOf, [project, named]);
  return new Set(rows.map(({ number }) => number));
}

export async function chunksNumbered(
  db: Kysely<Schema>,
  project: string,
  numbers: readonly number[],
): Promise<readonly NumberedChunk[]> {
  return numbers.length === 0 ? [] : rowsOf<NumberedChunk>(db, readNumbered, [project, numbers]);
}

const longestTerm = 400;

/** An index holds no key of some thousand bytes: a long term is known by its digest. */
export function keptTerm(term: string): string {
  const words = term.toWellFormed();
  if (Buffer.byteLength(words) <= longestTerm) return words;
  return `#${createHash('sha256').update(words).digest('hex')}`;
}

export const postgresWords: EngineWords = {
  counter: 'bigserial',
  async createSearch(db) {
    try {
      await sql`create extension if not exists btree_gin`.execute(db);
    } catch (error) {
      throw new GalleyError(
        'STORE_UNAVAILABLE',
        'The database needs the extension btree_gin, which is part of PostgreSQL; have an administrator install it: create extension btree_gin.',
        { details: { extension: 'btree_gin' }, cause: error },
      );
    }
    await sql`create table chunk_terms (number bigint primary key, project bigint not null, length integer not null,
      repeated jsonb, terms text[] collate "C" not null)`.execute(db);
    await sql`alter table chunk_terms alter column terms set statistics 0`.execute(db);
    // Searches never walk over what is not sorted in yet.
    await sql`create index chunk_terms_search on chunk_terms using gin (project, terms) with (fastupdate = off)`.execute(
      db,
    );
  },
  async listTerms(db) {
    // A list goes with its first chunk, whoever takes that out: also a server of an earlier version.
    await sql`create table chunk_lists (project bigint not null, term text collate "C" not null,
      block bigint not null references chunks (number) on delete cascade, holders integer not null, packed bytea not null)`.execute(
      db,
    );
    await sql`create index chunk_lists_search on chunk_lists (project, term)`.execute(db);
    await sql`create index chunk_lists_block on chunk_lists (block)`.execute(db);
  },
};

/** Lists go with their first chunk. */
const forgetTerms = `with gone as (delete from chunks where project = $1 and document = $2 returning number)
  delete from chunk_terms where number in (select number from gone)`;

export async function forgetChunks(
  db: Transaction<Schema>,
  project: string,
  document: string,
): Promise<void> {
  await Promise.all([
    db.executeQuery(CompiledQuery.raw(forgetTerms, [project, document])),
    db
      .deleteFrom('indexed_documents')
      .where('project', '=', project)
      .where('document', '=', document)
      .execute(),
  ]);
}
