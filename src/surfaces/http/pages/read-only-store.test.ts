// A database after a failover: it answers, but nothing can be written to it.
import { describe, expect, it, onTestFinished } from 'vitest';
import { hasPostgres, privateServer } from '../../../../test/postgres/private-server.js';
import { openStore } from '../../../store/postgres/open-store.js';
import { createReadiness } from './readiness.js';

describe.skipIf(!hasPostgres)('a database that became read-only', () => {
  it('is told from one that can be written, without a write, and a server on it is not ready', async () => {
    const server = await privateServer();
    const url = await server.newDatabase();
    const name = new URL(url).pathname.slice(1);
    const sent: string[] = [];
    const store = await openStore({
      ...{ url, now: () => 1 },
      onRoundTrip: (statements) => sent.push(...statements.map(({ text }) => text)),
    });
    onTestFinished(() => store.close());
    const readOnly = async (value: 'on' | 'off') => {
      await server.run('postgres', `alter database ${name} set default_transaction_read_only = ${value}`);
      await server.run(
        'postgres',
        `select pg_terminate_backend(pid) from pg_stat_activity where datname = '${name}'`,
      );
    };
    let time = 0;
    const readiness = createReadiness({ store: async () => store, now: () => time, isClosing: () => false });
    sent.length = 0;
    expect(await readiness()).toBe('ready');
    expect(sent.filter((text) => /insert|update|delete|create/i.test(text))).toEqual([]);
    await readOnly('on');
    time += 1000;
    expect(await readiness()).toBe('store-unavailable');
    await expect(store.checkWritable()).rejects.toMatchObject({
      code: 'STORE_UNAVAILABLE',
      message: expect.stringContaining('read-only'),
    });
    await readOnly('off');
    time += 1000;
    expect(await readiness()).toBe('ready');
  });
});
