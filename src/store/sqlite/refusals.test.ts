import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Store } from '../store.js';
import { isBusy, type SqliteConnection, type SqliteDriver } from './connection.js';
import { availableDrivers } from './drivers.js';
import { openStore } from './open-store.js';

const chunkOf = (ordinal: number, terms: string) => ({
  id: `c${ordinal}`,
  ordinal,
  start: 0,
  end: 1,
  text: terms.repeat(400),
  contentHash: 'h',
  terms,
});

describe.each(await availableDrivers())('refusals over $name', (driver) => {
  let folder = '';
  let path = '';
  const opened: { close(): unknown }[] = [];

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'galley-refusals-'));
    path = join(folder, 'galley.db');
  });

  afterEach(async () => {
    for (const handle of opened.splice(0)) await handle.close();
    await rm(folder, { recursive: true });
  });

  const open = async (
    options: { at?: string; driver?: SqliteDriver; patienceMs?: number } = {},
  ): Promise<Store> => {
    const { at = path, ...rest } = options;
    const store = await openStore({ path: at, now: () => 1, driver, ...rest });
    opened.push(store);
    return store;
  };
  const rawConnection = (): SqliteConnection => {
    const connection = driver.connect(path);
    opened.push(connection);
    return connection;
  };
  const prepared = (statement: string): SqliteDriver => ({
    name: driver.name,
    connect(location) {
      const connection = driver.connect(location);
      connection.exec(statement);
      return connection;
    },
  });

  /** Tells of every statement that finds the file locked. */
  const telling = (onBusy: () => void): SqliteDriver => ({
    name: driver.name,
    connect(location) {
      const connection = driver.connect(location);
      return {
        ...connection,
        exec(sql) {
          try {
            connection.exec(sql);
          } catch (error) {
            if (isBusy(error)) onBusy();
            throw error;
          }
        },
      };
    },
  });

  it('refuses to write into a file that is no longer at its place, and opens it anew', async () => {
    const store = await open();
    await store.settings.put('p', 'outline', 'first');
    await rm(path);
    await expect(store.settings.put('p', 'outline', 'second')).rejects.toMatchObject({
      code: 'STORE_UNAVAILABLE',
    });
    await store.close();
    const anew = await open();
    await anew.settings.put('p', 'outline', 'third');
    expect(await anew.settings.get('p', 'outline')).toBe('third');
  });

  it('refuses a store of a newer version and leaves its bytes alone', async () => {
    await (await open()).close();
    const raw = driver.connect(path);
    raw.exec('pragma user_version = 999');
    raw.all('pragma wal_checkpoint(truncate)', []);
    raw.close();
    const before = await readFile(path);
    await expect(open()).rejects.toMatchObject({ code: 'STORE_TOO_NEW', details: { version: 999 } });
    expect((await readFile(path)).equals(before)).toBe(true);
  });

  it('refuses a file that is no database, and the database of another program', async () => {
    await writeFile(path, 'Dear diary, '.repeat(1000));
    await expect(open()).rejects.toMatchObject({ code: 'STORE_CORRUPT' });
    expect(await readFile(path, 'utf8')).toBe('Dear diary, '.repeat(1000));
    await rm(path);
    const raw = driver.connect(path);
    raw.exec('create table theirs (a)');
    raw.close();
    const before = await readFile(path);
    await expect(open()).rejects.toMatchObject({ code: 'STORE_CORRUPT' });
    expect((await readFile(path)).equals(before)).toBe(true);
  });

  it('says that a damaged store is damaged', async () => {
    const store = await open();
    await store.documents.put('p', { id: 'd', text: 'x'.repeat(200_000) });
    await store.close();
    const bytes = await readFile(path);
    bytes.fill(0xee, 4096);
    await writeFile(path, bytes);
    const damaged = open().then(async (again) => (await again.documents.get('p', 'd')).id);
    await expect(damaged).rejects.toMatchObject({ code: 'STORE_CORRUPT' });
  });

  it('takes an empty file for a new store', async () => {
    await writeFile(path, '');
    expect(await (await open()).documents.list('p')).toEqual([]);
  });

  it('refuses places where no store can be, without naming them', async () => {
    await writeFile(join(folder, 'file'), '');
    await mkdir(join(folder, 'taken'));
    for (const at of [join(folder, 'taken'), join(folder, 'file', 'galley.db'), '/proc/galley/galley.db']) {
      const refusal = await open({ at }).catch((error: unknown) => error);
      expect(refusal).toMatchObject({ code: 'STORE_UNAVAILABLE' });
      expect(JSON.stringify(refusal)).not.toContain('/');
    }
  });

  it('refuses an address, and takes a path that looks like one for a file name [D11]', async () => {
    const here = process.cwd();
    process.chdir(folder);
    try {
      for (const at of ['http://127.0.0.1:9/x.db', 'file:x.db', 'LibSQL:x'])
        await expect(open({ at })).rejects.toMatchObject({ code: 'INVALID_ARGUMENT' });
      await (await open({ at: './http:/127.0.0.1:9/x.db' })).close();
      expect((await readFile(join(folder, 'http:', '127.0.0.1:9', 'x.db'))).length).toBeGreaterThan(0);
    } finally {
      process.chdir(here);
    }
  });

  it('waits for another writer, then says that the store is busy and has changed nothing', async () => {
    const store = await open({ patienceMs: 40 });
    const other = rawConnection();
    other.exec('begin immediate');
    await expect(store.settings.put('p', 'k', 'v')).rejects.toMatchObject({ code: 'STORE_BUSY' });
    expect(await store.settings.list('p')).toEqual([]);
    other.exec('rollback');
    await store.settings.put('p', 'k', 'v');
    expect(await store.settings.get('p', 'k')).toBe('v');
  });

  it('gets its turn when the other writer ends in time', async () => {
    let refused = 0;
    const store = await open({ driver: telling(() => (refused += 1)) });
    const other = rawConnection();
    other.exec('begin immediate');
    const waiting = store.settings.put('p', 'k', 'v');
    await vi.waitFor(() => expect(refused).toBeGreaterThan(0), { timeout: 10_000, interval: 5 });
    other.exec('commit');
    expect(await waiting).toMatchObject({ text: 'v' });
  });

  it('reads from a store it cannot write to', async () => {
    await (await open()).settings.put('p', 'k', 'v');
    const store = await open({ driver: prepared('pragma query_only = on') });
    expect(await store.settings.get('p', 'k')).toBe('v');
    await expect(store.settings.put('p', 'k', 'x')).rejects.toMatchObject({ code: 'STORE_UNAVAILABLE' });
    await expect(
      store.chunks.replaceChunks('p', { documentId: 'd', contentHash: 'h' }, []),
    ).rejects.toMatchObject({
      code: 'STORE_UNAVAILABLE',
    });
    expect(await store.settings.get('p', 'k')).toBe('v');
  });

  it('keeps what it had when the disk is full, and goes on when there is room', async () => {
    const store = await open({ driver: prepared('pragma max_page_count = 90') });
    const document = { documentId: 'd', contentHash: 'h' };
    await store.chunks.replaceChunks('p', document, [chunkOf(0, 'before')]);
    await store.documents.put('p', { id: 'd', text: 'before' });
    const large = Array.from({ length: 300 }, (_, ordinal) => chunkOf(ordinal, `after w${ordinal}`));
    const full = { code: 'STORE_UNAVAILABLE' };
    await expect(store.chunks.replaceChunks('p', document, large)).rejects.toMatchObject(full);
    await expect(store.documents.put('p', { id: 'd', text: 'x'.repeat(1e6) })).rejects.toMatchObject(full);
    expect(
      (await store.chunks.search('p', 'before after', { limit: 9 })).map(({ ordinal }) => ordinal),
    ).toEqual([0]);
    expect((await store.documents.get('p', 'd')).text).toBe('before');
    await store.documents.put('p', { id: 'd', text: 'after' });
    expect((await store.documents.get('p', 'd')).text).toBe('after');
    expect(rawConnection().all('pragma integrity_check', [])).toEqual([{ integrity_check: 'ok' }]);
  });

  it('refuses a device that takes no byte', async () => {
    await expect(open({ at: '/dev/full' })).rejects.toMatchObject({ code: 'STORE_UNAVAILABLE' });
  });

  it('works in memory, and forgets', async () => {
    const store = await open({ at: ':memory:' });
    await store.chunks.replaceChunks('p', { documentId: 'd', contentHash: 'h' }, [chunkOf(0, 'word')]);
    expect((await store.chunks.search('p', 'word', { limit: 1 })).length).toBe(1);
    expect(await (await open({ at: ':memory:' })).projects.list()).toEqual([]);
  });
});
