import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { hasPostgres, privateServer } from '../../../test/postgres/private-server.js';
import type { Store } from '../store.js';
import type { Statement } from './connect.js';
import { openStore } from './open-store.js';

describe.skipIf(!hasPostgres)('one database under several handles', () => {
  let url = '';
  let one: Store;
  let other: Store;
  const trips: (readonly Statement[])[] = [];

  beforeAll(async () => {
    url = await (await privateServer()).newDatabase();
    one = await openStore({ url, now: () => 1, onRoundTrip: (statements) => trips.push(statements) });
    other = await openStore({ url, now: () => 1 });
  });

  afterAll(async () => {
    await one.close();
    await other.close();
  });

  const tripsOf = async (work: () => Promise<unknown>): Promise<number> => {
    const before = trips.length;
    await work();
    return trips.length - before;
  };

  it('remembers lists until anybody writes to their project', async () => {
    await one.documents.put('p', { id: 'a', text: 'text', title: 'A' });
    const first = await one.documents.list('p');
    await one.receipts.put('p', { operation: 'o', value: 1 });
    await other.documents.put('q', { id: 'a', text: 'text' });
    expect(await one.documents.list('p')).toBe(first);
    await other.documents.put('p', { id: 'a', text: 'text', title: 'B' });
    expect((await one.documents.list('p')).map(({ title }) => title)).toEqual(['B']);
    await other.documents.delete('p', 'a');
    expect(await one.documents.list('p')).toEqual([]);
    await other.chunks.replaceChunks('p', { documentId: 'a', contentHash: 'h' }, []);
    expect((await one.chunks.indexedDocuments('p')).length).toBe(1);
  });

  it('asks for what is wanted at once in one round trip, and for a write in two', async () => {
    const everything = () =>
      Promise.all([
        one.documents.list('r'),
        one.entities.list('r'),
        one.constraints.list('r'),
        one.settings.list('r'),
        one.lanes.get('r', 'l'),
        one.budgets.get('r'),
      ]);
    expect(await tripsOf(everything)).toBe(1);
    expect(await tripsOf(everything)).toBe(1);
    expect(await tripsOf(() => one.lanes.update('r', 'l', () => 1))).toBe(2);
    // Those whose statements are known share their transaction; who meets another's state looks again.
    await other.lanes.update('r', 'l', () => 2);
    const puts = ['a', 'b'].map((id) => () => one.receipts.put('r', { id, operation: 'o', value: id }));
    expect(await tripsOf(() => Promise.all(puts.map((put) => put())))).toBe(2);
    expect(await one.lanes.update('r', 'l', (seen) => [seen])).toEqual([2]);
  });

  it('shows a query without a project no row of any, also to the owner of the tables', async () => {
    await one.settings.put('p', 'secret', 'of p');
    const client = new pg.Client(url);
    await client.connect();
    try {
      const tables = await client.query(
        `select c.relname as name, c.relforcerowsecurity as walled from pg_class c
          join pg_attribute a on a.attrelid = c.oid and a.attname = 'project' and not a.attisdropped
          where c.relkind = 'r' and c.relnamespace = 'public'::regnamespace order by 1`,
      );
      const open = tables.rows.filter(({ walled }) => !walled).map(({ name }) => name);
      // What is added here is read across projects on purpose; project-walls.ts says why.
      expect(open.filter((name) => !['galley_changes', 'jobs', 'job_answers'].includes(name))).toEqual([
        'chunk_lists',
        'chunk_terms',
      ]);
      expect(tables.rows.length).toBeGreaterThan(15);
      const seen = async () => (await client.query('select project from settings')).rows;
      expect(await seen()).toEqual([]);
      await client.query('begin');
      await client.query(`select set_config('galley.project', 'p', true)`);
      expect(new Set((await seen()).map(({ project }) => project))).toEqual(new Set(['p']));
      await expect(
        client.query(`insert into settings (project, key, text, updated_at) values ('q', 'k', 'v', 1)`),
      ).rejects.toMatchObject({ code: '42501' });
      await client.query('rollback');
      expect(await seen()).toEqual([]);
    } finally {
      await client.end();
    }
  });

  it('goes on in other projects while one is being written', async () => {
    const client = new pg.Client(url);
    await client.connect();
    try {
      await client.query('begin');
      await client.query(`select pg_advisory_xact_lock(${0x47414c59}, hashtext('p'))`);
      const impatient = await openStore({ url, now: () => 1, patienceMs: 500 });
      await expect(impatient.settings.put('p', 'k', 'v')).rejects.toMatchObject({ code: 'STORE_BUSY' });
      await impatient.settings.put('q', 'k', 'v');
      await impatient.close();
      const waiting = one.settings.put('p', 'k', 'late');
      await client.query('commit');
      await waiting;
      expect(await other.settings.get('p', 'k')).toBe('late');
    } finally {
      await client.end();
    }
  });
});
