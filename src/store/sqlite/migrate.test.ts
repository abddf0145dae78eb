import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { GalleyError } from '../../core/model/error.js';
import type { Store } from '../store.js';
import { type Migration, migrations } from '../tables/migrations.js';
import type { SqliteDriver } from './connection.js';
import { availableDrivers } from './drivers.js';
import { openStore } from './open-store.js';

const newest = migrations.length;

/** What a store of each version could already hold. */
const fillings: ((store: Store) => Promise<unknown>)[] = [
  async () => {},
  async (store) => {
    await store.documents.put('p', { id: 'd', text: 'text' });
    await store.constraints.create('p', { id: 'c', kind: 'plot', text: 'rule' });
    await store.entities.put('p', { id: 'e', name: 'E', description: 'who' });
    await store.memory.put('p', { id: 'm', kind: 'semantic', text: 'memory' });
    await store.settings.put('p', 'style-guide', 'style');
  },
  async (store) => {
    await store.budgets.update('p', 0, { window: 1 });
    await store.receipts.put('p', { id: 'r', operation: 'o', value: 1 });
    await store.summaries.add('p', { id: 's', text: 'summary' });
    await store.lanes.update('p', 'l', () => 1);
  },
  async (store) => {
    const chunk = { id: 'k', ordinal: 0, start: 0, end: 4, text: 'text', contentHash: 'h', terms: 'text' };
    await store.chunks.replaceChunks('p', { documentId: 'd', contentHash: 'h' }, [chunk]);
  },
  async () => {},
  async () => {},
  async (store) => {
    await store.drafts.put('p', 'd', { draft: 1 });
    await store.snapshots.addStep('p', { step: 1 });
  },
  async (store) => {
    await store.rooms.create('p', 'r', { room: 1 });
  },
  async (store) => {
    await store.spending.add('o', 'all', { calls: 1 });
  },
  async (store) => {
    await store.jobAnswers.put('p', 'j', { digest: 'd', nth: 1 }, 'answer');
  },
];

const readings: ((store: Store) => Promise<unknown>)[] = [
  async (store) => store.projects.get('p'),
  async (store) =>
    Promise.all([
      store.documents.get('p', 'd'),
      store.constraints.list('p'),
      store.entities.list('p'),
      store.memory.list('p'),
      store.settings.list('p'),
    ]),
  async (store) =>
    Promise.all([
      store.budgets.get('p'),
      store.receipts.list('p'),
      store.summaries.recent('p', 9),
      store.lanes.get('p', 'l'),
    ]),
  async (store) =>
    Promise.all([
      store.documents.list('p'),
      store.chunks.chunksOf('p', 'd'),
      store.chunks.search('p', 'text', { limit: 9 }),
    ]),
  async (store) => store.chunks.holding('p', ['h']),
  async (store) => store.chunks.chunksOf('p', 'd'),
  async (store) => Promise.all([store.drafts.list('p'), store.snapshots.steps('p')]),
  async (store) => store.rooms.list('p'),
  async (store) => store.spending.get('o', 'all'),
  async (store) => store.jobAnswers.get('p', 'j', { digest: 'd', nth: 1 }),
];

describe.each(await availableDrivers())('migrations over $name', (driver) => {
  let folder = '';
  let path = '';

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'galley-migrate-'));
    path = join(folder, 'galley.db');
  });

  afterEach(() => rm(folder, { recursive: true }));

  const open = (steps: readonly Migration[] = migrations) =>
    openStore({ path, now: () => 1, newId: () => 'new', driver, migrations: steps });

  const schemaOf = (): unknown => {
    const connection = driver.connect(path);
    const rows = connection.all('select type, name, sql from sqlite_schema order by type, name', []);
    connection.close();
    return rows;
  };

  it('numbers its steps from 1 without a gap', () => {
    expect(migrations.map(({ number }) => number)).toEqual(migrations.map((_, index) => index + 1));
    expect(fillings.length).toBe(newest);
  });

  it.each(migrations.map((_, version) => version))(
    'brings a store of version %i up to date with all it holds',
    async (version) => {
      const old = await open(migrations.slice(0, version));
      for (const fill of fillings.slice(0, version + 1)) await fill(old);
      const read = (store: Store) =>
        Promise.all(readings.slice(0, version + 1).map((reading) => reading(store)));
      const before = version === 0 ? undefined : await read(old);
      await old.close();

      const store = await open();
      if (before !== undefined) expect(await read(store)).toEqual(before);
      const vector = { contentHash: 'h', vector: Float32Array.of(1) };
      await store.vectors.put('p', 'm', [vector]);
      const held = (await store.chunks.holding('p', ['h'])).length;
      expect(await store.vectors.list('p', 'm')).toEqual(held === 0 ? [] : [vector]);
      await store.chunks.replaceChunks('p', { documentId: 'd', contentHash: 'h' }, []);
      expect((await store.chunks.indexedDocuments('p')).length).toBe(1);
      await store.close();

      const upgraded = schemaOf();
      await rm(path);
      await (await open()).close();
      expect(schemaOf()).toEqual(upgraded);
    },
  );

  it('takes a step whole or not at all', async () => {
    await (await open()).close();
    const before = schemaOf();
    const failing: Migration = {
      number: newest + 1,
      async up(db) {
        await db.schema.createTable('half').addColumn('a', 'text').execute();
        throw new GalleyError('INTERNAL', 'The step failed.');
      },
    };
    await expect(open([...migrations, failing])).rejects.toMatchObject({ code: 'INTERNAL' });
    expect(schemaOf()).toEqual(before);
    await (await open()).close();
  });

  it('leaves out a step that another process took while it waited', async () => {
    let begun = 0;
    const overtaken: SqliteDriver = {
      name: driver.name,
      connect(location) {
        const connection = driver.connect(location);
        const exec = (words: string): void => {
          if (words === 'begin immediate' && ++begun === 1) {
            const other = driver.connect(location);
            other.exec(`pragma user_version = ${newest}`);
            other.close();
          }
          connection.exec(words);
        };
        return { ...connection, exec };
      },
    };
    await (await openStore({ path, now: () => 1, driver: overtaken })).close();
    expect(begun).toBe(1);
    expect(schemaOf()).toEqual([]);
  });

  it('takes each step once when several open a new store together', async () => {
    const stores = await Promise.all([open(), open(), open()]);
    await Promise.all(stores.map((store, index) => store.settings.put('p', `k${index}`, 'v')));
    expect((await stores[0]!.settings.list('p')).length).toBe(3);
    for (const store of stores) await store.close();
  });
});
