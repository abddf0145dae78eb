import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { hasPostgres, privateServer } from '../../../test/postgres/private-server.js';
import { sweepSize } from '../../../test/sweep-size.js';
import { openStore as openSqlite } from '../sqlite/open-store.js';
import type { Store } from '../store.js';
import type { ChunkDraft } from '../tables/chunks.js';
import { openStore } from './open-store.js';

const words = [
  'the',
  'rain',
  'sword',
  'c++',
  '林远',
  '远拔',
  '拔剑',
  '苏晚',
  '不语',
  '𠮷野',
  'Lin',
  '雨停',
  '停了',
  "it's",
];

const terms = fc
  .array(fc.oneof(fc.constantFrom(...words), fc.string({ minLength: 1, maxLength: 3, unit: 'grapheme' })), {
    minLength: 1,
    maxLength: 40,
  })
  .map((all) => all.join(' '));

const book = fc.array(fc.array(terms, { maxLength: 12 }), { minLength: 1, maxLength: 6 });

const draft = (words_: string, ordinal: number): ChunkDraft => ({
  id: `c${ordinal}`,
  ...{
    ordinal,
    start: 0,
    end: 1,
    text: words_.replaceAll('\0', ''),
    contentHash: `h${ordinal}`,
    terms: words_,
  },
});

describe.skipIf(!hasPostgres)('search over both engines', () => {
  let postgres: Store;
  let forgetful: Store;
  let books = 0;

  beforeAll(async () => {
    const url = await (await privateServer()).newDatabase();
    postgres = await openStore({ url, now: () => 1 });
    const remembered = { maxPostings: 12, maxChunks: 3 };
    forgetful = await openStore({ url, now: () => 1, connections: 3, remembered });
  });

  afterAll(async () => {
    await forgetful.close();
    await postgres.close();
  });

  it('finds the same chunks in the same order, and counts the same', async () => {
    const numRuns = sweepSize('books searched over both engines', { everyRun: 25, nightly: 500 });
    let found = 0;
    await fc.assert(
      fc.asyncProperty(
        book,
        fc.array(terms, { minLength: 1, maxLength: 4 }),
        async (documents, questions) => {
          const project = `book ${++books}`;
          // A store of its own: the embedded one weighs terms by all chunks that any project of it ever had.
          const sqlite = await openSqlite({ path: ':memory:', now: () => 1 });
          const stores = [sqlite, postgres];
          for (const store of stores) {
            for (const [index, chunks] of documents.entries())
              await store.chunks.replaceChunks(
                project,
                { documentId: `d${index}`, contentHash: 'h' },
                chunks.map(draft),
              );
          }
          for (const question of questions) {
            // One that can remember next to nothing is asked at the same moment as itself, so that both make way for each other.
            const [expected, actual, ...short] = await Promise.all(
              [...stores, forgetful, forgetful].map(async (store) => ({
                hits: (
                  await store.chunks.search(project, question, { limit: 10, excludeDocument: 'd0' })
                ).map(
                  ({ documentId, ordinal, score }) => `${documentId} ${ordinal} ${score.toPrecision(12)}`,
                ),
                statistics: await store.chunks.statistics(project, question),
              })),
            );
            expect(actual).toEqual(expected);
            expect(short).toEqual([expected, expected]);
            found += actual?.hits.length ?? 0;
          }
        },
      ),
      { numRuns },
    );
    expect(found).toBeGreaterThan(numRuns);
  });
});
