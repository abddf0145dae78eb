// Retrieval over SQLite's full-text search: atomic replacement, ranked search with settled ties, exact counts per project.
import { setImmediate as breathe } from 'node:timers/promises';
import { CompiledQuery, type Kysely, type Transaction } from 'kysely';
import { LRUCache } from 'lru-cache';
import { checkedLimit, checkedName } from '../tables/checked.js';
import { checkChunks, chunkListsIn, indexedIn, totalsOf } from '../tables/chunk-lists.js';
import type { ChunkDraft, ChunkIndex } from '../tables/chunks.js';
import type { Database, Schema } from '../tables/schema.js';
import { distinctTerms, splitTerms, termMemories } from '../tables/term-scores.js';
import { findChunks, forgetChunks, projectTerm } from './search-chunks.js';

const chunksPerBreath = 24;

type BulkWrite = Database['write'];

const insertChunk = `insert into chunks (project, document, id, ordinal, first, past, text, content_hash)
  values (?, ?, ?, ?, ?, ?, ?, ?) returning number`;
const insertTerms = 'insert into chunk_terms (rowid, terms) values (?, ?)';
const countTerms = `select wanted.key as place, v.doc from json_each(?) wanted
  join chunk_vocabulary v on v.term = wanted.value`;

type NumberOf = (db: Kysely<Schema>, project: string) => Promise<number | undefined>;

/** A project keeps its number for ever. */
function projectNumbers(): NumberOf {
  const known = new LRUCache<string, number>({ max: 1_000 });
  return async (db, project) => {
    const number = known.get(project);
    if (number !== undefined) return number;
    const row = await db.selectFrom('projects').select('number').where('id', '=', project).executeTakeFirst();
    // Inside a write the project may be new, and the write may yet fail.
    if (row !== undefined && !db.isTransaction) known.set(project, row.number);
    return row?.number;
  };
}

async function insert(
  db: Transaction<Schema>,
  owner: { project: string; number: number; documentId: string },
  chunk: ChunkDraft,
): Promise<number> {
  const { id, ordinal, start, end, text, contentHash } = chunk;
  const values = [owner.project, owner.documentId, id, ordinal, start, end, text, contentHash];
  const { rows } = await db.executeQuery<{ number: number }>(CompiledQuery.raw(insertChunk, values));
  const terms = splitTerms(chunk.terms);
  const scoped = terms.map((term) => projectTerm(owner.number, term)).join(' ');
  await db.executeQuery(CompiledQuery.raw(insertTerms, [rows[0]?.number, scoped]));
  return terms.length;
}

/** Several reads that see the same index. */
async function inOneView<T>(db: Kysely<Schema>, work: (own: Kysely<Schema>) => Promise<T>): Promise<T> {
  return db.connection().execute(async (own) => {
    await own.executeQuery(CompiledQuery.raw('begin'));
    try {
      return await work(own);
    } finally {
      await own.executeQuery(CompiledQuery.raw('commit'));
    }
  });
}

export function chunkIndexIn(database: Database, bulkWrite: BulkWrite): ChunkIndex {
  const recall = termMemories();
  const numberOf = projectNumbers();
  const indexedDocuments = (project: string, view?: Kysely<Schema>) =>
    database.remember('indexed documents', project, (db) => indexedIn(view ?? db, project));
  return {
    async replaceChunks(project, { documentId, contentHash }, chunks) {
      checkedName('documentId', documentId);
      checkChunks(chunks);
      await bulkWrite(project, async (db) => {
        const number = (await numberOf(db, project)) as number;
        await forgetChunks(db, project, documentId);
        let terms = 0;
        for (const [index, chunk] of chunks.entries()) {
          if (index % chunksPerBreath === chunksPerBreath - 1) await breathe();
          terms += await insert(db, { project, number, documentId }, chunk);
        }
        await db
          .insertInto('indexed_documents')
          .values({ project, document: documentId, content_hash: contentHash, chunks: chunks.length, terms })
          .execute();
      });
    },
    async search(project, terms, options) {
      const wanted = distinctTerms(terms);
      if (checkedLimit(options.limit) === 0 || wanted.length === 0) return [];
      return database.read((db) =>
        inOneView(db, async (own) => {
          const number = await numberOf(own, project);
          if (number === undefined) return [];
          const memory = recall(project, await indexedDocuments(project, own));
          return findChunks(own, { project, number, terms: wanted, memory }, options);
        }),
      );
    },
    async statistics(project, terms) {
      return database.read(async (db) => {
        const number = await numberOf(db, project);
        const totals = await database.remember('index totals', project, (own) => totalsOf(own, project));
        const frequencies = new Map<string, number>();
        const wanted = distinctTerms(terms);
        for (const term of wanted) frequencies.set(term, 0);
        if (number !== undefined) {
          const scoped = JSON.stringify(wanted.map((term) => projectTerm(number, term)));
          const { rows } = await db.executeQuery<{ place: number; doc: number }>(
            CompiledQuery.raw(countTerms, [scoped]),
          );
          for (const { place, doc } of rows) frequencies.set(wanted[place] as string, doc);
        }
        return { ...totals, frequencies };
      });
    },
    indexedDocuments: (project) => indexedDocuments(project),
    ...chunkListsIn(database),
    async forget(project, documentId) {
      await database.write(undefined, (db) => forgetChunks(db, project, documentId));
    },
  };
}
