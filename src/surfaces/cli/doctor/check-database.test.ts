import { describe, expect, it } from 'vitest';
import { hasPostgres, privateServer } from '../../../../test/postgres/private-server.js';
import { openStore } from '../../../store/postgres/open-store.js';
import { checkStore } from './check-store.js';

const patient = (store: string) => ({ store, folder: '.', env: {}, signal: AbortSignal.timeout(60_000) });

describe.skipIf(!hasPostgres)('the doctor, of a database', () => {
  it('tells what it found before and after the first use, and never the address', async () => {
    const server = await privateServer();
    const url = await server.newDatabase();
    const name = new URL(url).pathname.slice(1);
    const found = expect.stringMatching(/^PostgreSQL \d\d, empty, UTF8, \d+\.\d ms$/);
    expect(await checkStore(patient(url))).toEqual({ id: 'store', status: 'ok', problem: 'behind', found });
    await (await openStore({ url, now: () => 1 })).close();
    expect(await checkStore(patient(url))).toEqual({
      id: 'store',
      status: 'ok',
      found: expect.stringContaining('schema'),
    });
    await server.run('postgres', `alter database ${name} set default_transaction_read_only = on`);
    expect(await checkStore(patient(url))).toMatchObject({ status: 'warn', problem: 'read-only' });
    const wrong = url.replace(/:[^:@]+@/, ':some-other-password@');
    const refused = await checkStore(patient(wrong));
    expect(refused).toMatchObject({ status: 'fail', problem: 'broken' });
    expect(JSON.stringify(refused)).not.toContain('some-other-password');
  });
});
