// A database of every earlier version comes up to date with what it holds, however many open it at once; what an earlier version
// indexed is found as before, beside what this one indexes.
import { describe, expect, it } from 'vitest';
import { hasPostgres, privateServer } from '../../../test/postgres/private-server.js';
import type { Store } from '../store.js';
import { migrations } from '../tables/migrations.js';
import { openStore } from './open-store.js';

/** Six chunks as the versions before lists kept them: each with all its terms. */
const indexedBefore = `insert into projects (id, settings) values ('p', '{}');
  insert into chunks (project, document, id, ordinal, first, past, text, content_hash)
    select 'p', 'old', 'k' || n, n, n, n + 1, 'text', 'h' || n from generate_series(0, 5) n;
  insert into chunk_terms (number, project, length, repeated, terms)
    select number, (select number from projects where id = 'p'), 3 + ordinal,
      case when ordinal = 5 then '{"rain": 4}'::jsonb end, array['rain', 'of' || ordinal] from chunks;
  insert into indexed_documents (project, document, content_hash, chunks, terms) values ('p', 'old', 'h', 6, 33)`;

const found = async (store: Store, terms: string) =>
  (await store.chunks.search('p', terms, { limit: 9 })).map(
    ({ documentId, ordinal }) => `${documentId} ${ordinal}`,
  );

describe.skipIf(!hasPostgres)('migrations over PostgreSQL', () => {
  it.each(migrations.map((_, version) => version))(
    'bring a database of version %i up to date for all who open it at once',
    async (version) => {
      const server = await privateServer();
      const url = await server.newDatabase();
      const open = (steps = migrations) => openStore({ url, now: () => 1, migrations: steps });
      if (version > 0) await (await open(migrations.slice(0, version))).close();
      const isIndexed = version >= 3;
      if (isIndexed) await server.run(new URL(url).pathname.slice(1), indexedBefore);

      const stores = await Promise.all([open(), open(), open()]);
      const [store] = stores as [Store, ...Store[]];
      await Promise.all(stores.map((each, nth) => each.settings.put('p', `k${nth}`, 'v')));
      expect((await store.settings.list('p')).length).toBe(3);

      const chunks = Array.from({ length: 6 }, (_, ordinal) => ({
        ...{ id: `c${ordinal}`, ordinal, start: 0, end: 1, text: 'text', contentHash: `h${ordinal}` },
        terms: `rain of${ordinal} new${ordinal}`,
      }));
      await store.chunks.replaceChunks('p', { documentId: 'new', contentHash: 'h' }, chunks);
      const both = isIndexed ? ['old 2'] : [];
      expect((await found(store, 'of2')).sort()).toEqual(['new 2', ...both]);
      const { frequencies } = await store.chunks.statistics('p', 'rain new1');
      expect(Object.fromEntries(frequencies)).toEqual({ rain: isIndexed ? 12 : 6, new1: 1 });
      if (isIndexed) expect((await found(store, 'rain'))[0]).toBe('old 5');

      // As a server of an earlier version takes a document out: it knows of no lists.
      await server.run(
        new URL(url).pathname.slice(1),
        `with gone as (delete from chunks where document = 'new' returning number)
        delete from chunk_terms where number in (select number from gone); delete from indexed_documents where document = 'new'`,
      );
      expect(await found(stores[1] as Store, 'new1 of2')).toEqual(both);
      const left = await server.run(new URL(url).pathname.slice(1), 'select count(*) from chunk_lists');
      expect(Number(left.rows[0].count)).toBe(0);
      for (const each of stores) await each.close();
    },
  );
});
