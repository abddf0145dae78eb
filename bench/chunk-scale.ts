// Promise: among 400,000 chunks a search within a project takes less than 20 ms at p95 on PostgreSQL. Books of 400 chunks and one
// project of 20,000, of words as frequent as words are, so that the commonest stand in most chunks of all projects. Every search
// asks a book that was not asked before. Loaded as a restore does it: rows through the store, the index over terms when all are
// there. Options: --chunks <n> (400000), --searches <n> (400), --database <url> (one that is kept, and loaded once).
import { parseArgs } from 'node:util';
import pg from 'pg';
import { openStore } from '../src/store/postgres/open-store.js';
import type { Store } from '../src/store/store.js';
import type { ChunkDraft } from '../src/store/tables/chunks.js';
import { termsOf } from '../src/writing/retrieval/terms.js';
import { seededRandom } from './peers/random.js';
import { quantile, type Row, report } from './peers/report.js';
import { wordyText } from './peers/wordy-text.js';
import { benchDatabase } from './served/database.js';

const { values: options } = parseArgs({
  options: {
    chunks: { type: 'string', default: '400000' },
    searches: { type: 'string', default: '400' },
    database: { type: 'string' },
  },
});
const all = Number(options.chunks);
const searches = Number(options.searches);
const [perBook, large, pooled] = [400, Math.min(20_000, all / 4), 20_000];
const characters = 300;
const index =
  'create index chunk_terms_search on chunk_terms using gin (project, terms) with (fastupdate = off)';

const random = seededRandom(18);
const text = wordyText(random);
/** Books share their chunks: what is alike in two projects is what makes a search look at both. */
const pool: ChunkDraft[] = Array.from({ length: pooled }, (_, ordinal) => {
  const words = text(characters);
  const place = { ordinal, start: ordinal * characters, end: (ordinal + 1) * characters };
  return {
    id: `${ordinal}`,
    ...place,
    text: words,
    contentHash: `${ordinal}`,
    terms: termsOf(words).join(' '),
  };
});

const chunksFrom = (from: number, count: number) =>
  Array.from({ length: count }, (_, ordinal) => ({
    ...(pool[(from + ordinal * 7) % pooled] as ChunkDraft),
    ...{ id: `${ordinal}`, ordinal },
  }));

/** Some words of one chunk of the book, as a scene would have them. */
const question = (from: number) => {
  const chunk = pool[(from + Math.floor(random() * 40) * 7) % pooled] as ChunkDraft;
  const at = Math.floor(random() * (characters - 40));
  return termsOf(chunk.text.slice(at, at + 40)).join(' ');
};

async function run(url: string, statement: string): Promise<Record<string, unknown>> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  const { rows } = await client.query(statement);
  await client.end();
  return rows[0] ?? {};
}

async function load(store: Store, url: string, books: number): Promise<string> {
  const put = (project: string, chunks: readonly ChunkDraft[], documentId = 'd') =>
    store.chunks.replaceChunks(project, { documentId, contentHash: project }, chunks);
  const begun = performance.now();
  for (let nth = 0; nth < 10; nth += 1) await put(`warm-${nth}`, chunksFrom(nth * 31, perBook));
  const withIndex = (10 * perBook) / ((performance.now() - begun) / 1000);

  const loading = performance.now();
  await run(url, 'drop index chunk_terms_search');
  let next = 0;
  const loader = async () => {
    for (let nth = next++; nth < books; nth = next++) await put(`book-${nth}`, chunksFrom(nth * 31, perBook));
  };
  await Promise.all([loader(), loader(), loader()]);
  for (let nth = 0; nth < large / perBook; nth += 1)
    await put('large', chunksFrom(nth * 31, perBook), `part-${nth}`);
  const loaded = (performance.now() - loading) / 1000;
  await run(url, index);
  await run(url, 'vacuum analyze');
  const indexed = (performance.now() - loading) / 1000 - loaded;
  return `${withIndex.toFixed(0)} chunks a second with the index in place; ${(all / loaded).toFixed(0)} without it and ${indexed.toFixed(0)} s to build it`;
}

const url = options.database ?? (await (await benchDatabase('chunk-scale'))?.newDatabase());
if (url !== undefined) {
  const store = await openStore({ url, now: () => 0, connections: 4 });
  const books = Math.floor((all - large) / perBook);
  const isThere = (await store.chunks.indexedDocuments(`book-${books - 1}`)).length > 0;
  const loading = isThere ? 'loaded before' : await load(store, url, books);
  console.log(loading);
  const sizes = await run(
    url,
    `select pg_database_size(current_database()) as all, pg_relation_size('chunk_terms_search') as index`,
  );

  const timesOf = async (ask: (nth: number) => Promise<unknown>, count: number) => {
    const times: number[] = [];
    for (let nth = 0; nth < count; nth += 1) {
      const from = performance.now();
      await ask(nth);
      times.push(performance.now() - from);
    }
    return times;
  };
  const bookAt = (nth: number) => (nth * 7919) % books;
  const search = (project: string, from: number, limit = 80) =>
    store.chunks.search(project, question(from), { limit });
  await timesOf((nth) => search(`warm-${nth % 10}`, (nth % 10) * 31), 20);
  const inBooks = await timesOf((nth) => search(`book-${bookAt(nth)}`, bookAt(nth) * 31), searches);
  const again = await timesOf((nth) => search(`book-${bookAt(nth)}`, bookAt(nth) * 31), searches);
  const inLarge = await timesOf((nth) => search('large', nth * 31), Math.min(100, searches));
  await store.close();

  const told = (times: readonly number[]) =>
    `p50 ${quantile(times, 0.5).toFixed(1)}, p95 ${quantile(times, 0.95).toFixed(1)}, most ${Math.max(...times).toFixed(1)} ms`;
  const bar = 'p95 < 20 ms';
  const row = (promise: string, times: readonly number[]): Row => ({
    ...{ promise, bar, measured: told(times), reached: quantile(times, 0.95) < 20 },
  });
  report(
    'chunk-scale',
    [
      row(`${all} chunks: search in a book of ${perBook} chunks, asked first`, inBooks),
      row('the same books, other words', again),
      row(`search in a project of ${large} chunks, other words each time`, inLarge),
      { promise: 'loading', bar: '–', measured: loading, reached: true },
    ],
    { sizes },
  );
}
process.exit(0);
