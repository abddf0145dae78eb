import { inspect } from 'node:util';
import { afterEach, describe, expect, it } from 'vitest';
import { hasPostgres, type PrivateServer, privateServer } from '../../../test/postgres/private-server.js';
import type { Store } from '../store.js';
import { migrations } from '../tables/migrations.js';
import { openStore, type PostgresStoreOptions } from './open-store.js';
import { fromDatabase, isLost, toStoreRefusal } from './refusals.js';

const opened: Store[] = [];

async function open(url: string, options: Partial<PostgresStoreOptions> = {}): Promise<Store> {
  const store = await openStore({ url, now: () => 1, patienceMs: 300, ...options });
  opened.push(store);
  return store;
}

afterEach(async () => {
  for (const store of opened.splice(0)) await store.close();
});

const nameIn = (url: string) => new URL(url).pathname.slice(1);

/** The refusal, held against everything an address must not give away. */
async function refusalOf(call: Promise<unknown>, url: string): Promise<{ code: string; message: string }> {
  const error = await call.then(
    () => undefined,
    (refusal: { code: string; message: string }) => refusal,
  );
  expect(error).toBeDefined();
  const said = `${JSON.stringify(error)} ${error?.message} ${(error as { cause?: unknown }).cause}`;
  const { password, hostname } = new URL(url);
  for (const secret of [password, hostname, url]) expect(said).not.toContain(secret);
  return { code: error?.code ?? '', message: error?.message ?? '' };
}

describe.skipIf(!hasPostgres)('a database that refuses', () => {
  let server: PrivateServer;
  const newDatabase = async (options?: { encoding?: string }) => {
    server = await privateServer();
    return server.newDatabase(options);
  };
  const changed = (url: string, change: (address: URL) => void) => {
    const address = new URL(url);
    change(address);
    return address.href;
  };

  it('by password, name, place or form says what to do and never repeats the address', async () => {
    const url = await newDatabase();
    const wrong = changed(url, (address) => {
      address.password = 'not-the-password';
    });
    expect(await refusalOf(open(wrong), wrong)).toMatchObject({
      code: 'STORE_UNAVAILABLE',
      message: expect.stringContaining('password'),
    });
    const nowhere = changed(url, (address) => {
      address.pathname = '/no-such-database';
    });
    expect(await refusalOf(open(nowhere), nowhere)).toMatchObject({
      code: 'STORE_UNAVAILABLE',
      message: expect.stringContaining('createdb'),
    });
    const closed = changed(url, (address) => {
      address.port = '1';
    });
    expect(await refusalOf(open(closed), closed)).toMatchObject({
      code: 'STORE_UNAVAILABLE',
      message: expect.stringContaining('reached'),
    });
    const secured = `${url}?sslmode=require`;
    expect(await refusalOf(open(secured), secured)).toMatchObject({
      code: 'STORE_UNAVAILABLE',
      message: expect.stringContaining('sslmode'),
    });
    const broken = 'postgres://user:geheim@[half/an/address';
    const unread = await open(broken).catch((error: unknown) => inspect(error));
    expect(unread).toContain('INVALID_ARGUMENT');
    expect(unread).not.toContain('geheim@');
  });

  it('ends connections as they begin, since its disk is full, is not taken for a defect', () => {
    const ended = Object.assign(new Error('could not write init file'), { code: 'XX000', severity: 'FATAL' });
    expect(isLost(fromDatabase(ended))).toBe(true);
    expect(toStoreRefusal(ended)).toMatchObject({
      code: 'STORE_UNAVAILABLE',
      message: expect.stringContaining('disk'),
    });
  });

  it('keeps no text in another encoding', async () => {
    const url = await newDatabase({ encoding: 'SQL_ASCII' });
    expect(await refusalOf(open(url), url)).toMatchObject({
      code: 'STORE_UNAVAILABLE',
      message: expect.stringContaining('UTF-8'),
    });
    expect(
      (await server.run(nameIn(url), 'select from pg_tables where schemaname = current_schema()')).rowCount,
    ).toBe(0);
  });

  it('belongs to another program, or to a newer Galley, and stays as it was', async () => {
    const url = await newDatabase();
    await server.run(nameIn(url), 'create table orders (id int)');
    expect(await refusalOf(open(url), url)).toMatchObject({ code: 'STORE_CORRUPT' });
    await server.run(nameIn(url), 'drop table orders');
    await (await open(url)).settings.put('p', 'k', 'v');
    const older = migrations.slice(0, -1);
    expect(await refusalOf(open(url, { migrations: older }), url)).toMatchObject({ code: 'STORE_TOO_NEW' });
    expect(await (await open(url)).settings.get('p', 'k')).toBe('v');
  });

  it('is brought up by many who start at once', async () => {
    const url = await newDatabase();
    const early = migrations.slice(0, 4);
    await Promise.all(Array.from({ length: 4 }, () => open(url, { migrations: early, connections: 2 })));
    const stores = await Promise.all(Array.from({ length: 4 }, () => open(url, { connections: 2 })));
    await Promise.all(stores.map((store, index) => store.settings.put('p', `k${index}`, 'v')));
    expect((await stores[0]?.settings.list('p'))?.length).toBe(4);
    const { rows } = await server.run(nameIn(url), 'select number from galley_version');
    expect(rows).toEqual([{ number: migrations.at(-1)?.number }]);
  });

  it('is read where it cannot be written', async () => {
    const url = await newDatabase();
    await (await open(url)).settings.put('p', 'k', 'v');
    await server.run('postgres', `alter database ${nameIn(url)} set default_transaction_read_only = on`);
    const store = await open(url);
    expect(await store.settings.get('p', 'k')).toBe('v');
    expect(await refusalOf(store.settings.put('p', 'k', 'x'), url)).toMatchObject({
      code: 'STORE_UNAVAILABLE',
      message: expect.stringContaining('read-only'),
    });
    expect(await store.settings.get('p', 'k')).toBe('v');
  });

  it('has no connection left: the call waits, and is then refused as busy', async () => {
    const url = await newDatabase();
    const store = await open(url);
    await store.close();
    await server.run('postgres', `alter role galley connection limit 0`);
    try {
      expect(await refusalOf(open(url), url)).toMatchObject({ code: 'STORE_BUSY' });
    } finally {
      await server.run('postgres', `alter role galley connection limit -1`);
    }
  });

  it('refuses a NUL before it is cut, whatever field holds it', async () => {
    const url = await newDatabase();
    const store = await open(url);
    const run = { operation: 'o', status: 'running', model: 'a\0b' } as const;
    expect(await refusalOf(store.runs.put('p', run), url)).toMatchObject({ code: 'INVALID_ARGUMENT' });
    await store.lanes.update('p', 'l', () => 'a\0b');
    expect(await store.lanes.get('p', 'l')).toBe('a\0b');
  });
});

describe.skipIf(!hasPostgres)('a connection that is dropped', () => {
  it('between calls or during them costs nothing that was acknowledged', async () => {
    const server = await privateServer();
    const url = await server.newDatabase();
    const store = await open(url, { patienceMs: 20_000 });
    const dropAll = () =>
      server.run(
        'postgres',
        `select pg_terminate_backend(pid) from pg_stat_activity where usename = 'galley' and datname = '${nameIn(url)}'`,
      );
    const kept: string[] = [];
    const writing = (async () => {
      for (let index = 0; index < 60; index += 1) {
        const key = `k${index}`;
        await store.settings.put('p', key, 'v').then(
          () => kept.push(key),
          // Lost at the very end: it may be there or not.
          (error) => expect(error).toMatchObject({ code: 'STORE_UNAVAILABLE', details: { unsure: true } }),
        );
        expect(await store.settings.get('p', key).then(() => 'answered')).toBe('answered');
      }
    })();
    for (let times = 0; times < 4; times += 1) await dropAll();
    await writing;
    const listed = new Set((await store.settings.list('p')).map(({ key }) => key));
    expect(kept.filter((key) => !listed.has(key))).toEqual([]);
    expect(kept.length).toBeGreaterThan(50);
  });

  it('by a server that starts again is waited for', async () => {
    const server = await privateServer();
    const url = await server.newDatabase();
    const store = await open(url, { patienceMs: 60_000 });
    await store.settings.put('p', 'k', 'before');
    const restarted = server.restart();
    await store.settings.put('p', 'k', 'after').catch((error) => {
      expect(error).toMatchObject({ details: { unsure: true } });
      return store.settings.put('p', 'k', 'after');
    });
    await restarted;
    expect(await store.settings.get('p', 'k')).toBe('after');
  });
});
