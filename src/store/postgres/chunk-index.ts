// Retrieval over PostgreSQL: atomic replacement, ranked search with settled ties, exact counts per project. A search asks for
// the terms it does not know and the state of the index together, and looks again where the index has moved on.
import { CompiledQuery, type Kysely, type Transaction } from 'kysely';
import { LRUCache } from 'lru-cache';
import { checkedLimit, checkedName } from '../tables/checked.js';
import { checkChunks, chunkListsIn, indexedIn, totalsOf } from '../tables/chunk-lists.js';
import type { ChunkDraft, ChunkHit, ChunkIndex, SearchOptions } from '../tables/chunks.js';
import type { Database, Schema } from '../tables/schema.js';
import {
  addScores,
  distinctTerms,
  type MemoryBounds,
  rankedHits,
  splitTerms,
  type TermMemory,
  type TermScores,
  termMemories,
} from '../tables/term-scores.js';
import {
  chunksNumbered,
  type FoundTerm,
  findTerms,
  forgetChunks,
  keptTerm,
  numbersIn,
} from './search-chunks.js';
import { divideTerms } from './term-lists.js';

const chunksAtOnce = 400;
const mostPrimed = 256;

const insertChunks = `insert into chunks (project, document, id, ordinal, first, past, text, content_hash)
  select $1, $2, * from unnest($3::text[], $4::bigint[], $5::bigint[], $6::bigint[], $7::text[], $8::text[])
  returning number, ordinal`;
const insertLoose = `insert into chunk_terms (number, project, length, repeated, terms)
  select told.number, (select number from projects where id = $1), told.length, told.repeated::jsonb, string_to_array(told.terms, ' ')
  from unnest($2::bigint[], $3::int[], $4::text[], $5::text[]) told(number, length, repeated, terms)`;
const insertLists = `insert into chunk_lists (project, block, term, holders, packed)
  select (select number from projects where id = $1), $2, * from unnest($3::text[], $4::int[], $5::bytea[])`;

function countTerms(terms: string): { counts: ReadonlyMap<string, number>; length: number } {
  const counts = new Map<string, number>();
  const all = splitTerms(terms);
  for (const term of all.map(keptTerm)) counts.set(term, (counts.get(term) ?? 0) + 1);
  return { counts, length: all.length };
}

/** Answers how many terms the chunks have in all. */
async function insert(
  db: Transaction<Schema>,
  { project, documentId }: { project: string; documentId: string },
  chunks: readonly ChunkDraft[],
): Promise<number> {
  const run = <Row>(statement: string, values: readonly unknown[]) =>
    db.executeQuery<Row>(CompiledQuery.raw(statement, [project, ...values]));
  const { rows } = await run<{ number: number; ordinal: number }>(insertChunks, [
    documentId,
    chunks.map(({ id }) => id),
    chunks.map(({ ordinal }) => ordinal),
    chunks.map(({ start }) => start),
    chunks.map(({ end }) => end),
    chunks.map(({ text }) => text),
    chunks.map(({ contentHash }) => contentHash),
  ]);
  const numbers = new Map(rows.map(({ ordinal, number }) => [ordinal, number]));
  const counted = chunks.map(({ ordinal, terms }) => ({
    number: numbers.get(ordinal) as number,
    ...countTerms(terms),
  }));
  const { block, loose, lists } = divideTerms(counted);
  await Promise.all([
    run(insertLoose, [
      loose.map(({ number }) => number),
      loose.map(({ length }) => length),
      loose.map(({ repeated }) => repeated),
      loose.map(({ terms }) => terms.join(' ')),
    ]),
    run(insertLists, [
      block,
      lists.map(({ term }) => term),
      lists.map(({ holders }) => holders),
      lists.map(({ packed }) => packed),
    ]),
  ]);
  return counted.reduce((sum, { length }) => sum + length, 0);
}

function keepIn(memory: TermMemory, terms: readonly string[], found: readonly FoundTerm[]): void {
  for (const [place, term] of terms.entries()) {
    const scores = found[place]?.scores;
    if (scores !== undefined) memory.terms.set(term, scores);
  }
}

interface Learned {
  readonly memory: TermMemory;
  readonly scores: readonly TermScores[];
}

interface ChunkSearch extends SearchOptions {
  readonly project: string;
  readonly terms: readonly string[];
}

export function chunkIndexIn(database: Database, bounds?: MemoryBounds): ChunkIndex {
  const recall = termMemories(bounds);
  const lastOf = new LRUCache<string, TermMemory>({ max: 64 });
  const indexedDocuments = (project: string) =>
    database.remember('indexed documents', project, (db) => indexedIn(db, project));

  /** The scores of all terms, and the memory of the index as it stands. They are held here: what a memory holds may make way at any time. */
  const learn = async (db: Kysely<Schema>, { project, terms }: ChunkSearch): Promise<Learned> => {
    const guess = lastOf.get(project);
    const known = terms.map((term) => guess?.terms.get(term));
    const unknown = terms.filter((_, place) => known[place] === undefined);
    const [indexed, found] = await Promise.all([
      indexedDocuments(project),
      findTerms(db, { project, terms: unknown }),
    ]);
    const memory = recall(project, indexed);
    lastOf.set(project, memory);
    if (guess !== undefined && memory !== guess) return learn(db, { project, terms, limit: 0 });
    keepIn(memory, unknown, found);
    let next = 0;
    return { memory, scores: known.flatMap((scores) => scores ?? found[next++]?.scores ?? []) };
  };

  const find = async (db: Kysely<Schema>, search: ChunkSearch): Promise<readonly ChunkHit[]> => {
    const { project, limit, excludeDocument } = search;
    const [{ memory, scores }, without] = await Promise.all([
      learn(db, search),
      numbersIn(db, project, excludeDocument),
    ]);
    const sums = addScores(scores, without);
    const best = sums.best(limit);
    const known = best.flatMap((number) => memory.chunks.get(number) ?? []);
    const held = new Set(known.map(({ number }) => number));
    const fresh = await chunksNumbered(
      db,
      project,
      best.filter((number) => !held.has(number)),
    );
    for (const chunk of fresh) memory.chunks.set(chunk.number, chunk);
    return rankedHits([...known, ...fresh], sums, limit);
  };

  return {
    ...chunkListsIn(database),
    indexedDocuments,
    async replaceChunks(project, { documentId, contentHash }, chunks) {
      checkedName('documentId', documentId);
      checkChunks(chunks);
      await database.write(project, async (db) => {
        await forgetChunks(db, project, documentId);
        let terms = 0;
        for (let from = 0; from < chunks.length; from += chunksAtOnce)
          terms += await insert(db, { project, documentId }, chunks.slice(from, from + chunksAtOnce));
        await db
          .insertInto('indexed_documents')
          .values({ project, document: documentId, content_hash: contentHash, chunks: chunks.length, terms })
          .execute();
      });
    },
    async search(project, terms, options) {
      const wanted = distinctTerms(terms);
      if (checkedLimit(options.limit) === 0 || wanted.length === 0) return [];
      return database.read((db) => find(db, { project, terms: wanted, ...options }));
    },
    statistics: (project, terms) =>
      database.read(async (db) => {
        const wanted = distinctTerms(terms);
        const question = { project, terms: wanted };
        const [totals, indexed, found] = await Promise.all([
          database.remember('index totals', project, (own) => totalsOf(own, project)),
          indexedDocuments(project),
          findTerms(db, question, mostPrimed),
        ]);
        // Who counts terms is about to search for the rare ones.
        const memory = recall(project, indexed);
        lastOf.set(project, memory);
        keepIn(memory, wanted, found);
        const frequencies = new Map(wanted.map((term, place) => [term, found[place]?.holders ?? 0]));
        return { ...totals, frequencies };
      }),
    async forget(project, documentId) {
      await database.write(undefined, (db) => forgetChunks(db, project, documentId));
    },
  };
}
