// Who is there is known by the database, not by a clock.
import { afterEach, describe, expect, it, vi } from 'vitest';
import { hasPostgres, privateServer } from '../../../test/postgres/private-server.js';
import type { Store } from '../store.js';
import { openStore } from './open-store.js';

const open: Store[] = [];
afterEach(() => Promise.all(open.splice(0).map((store) => store.close())));

async function place() {
  const server = await privateServer();
  const url = await server.newDatabase();
  const another = async () => {
    const store = await openStore({ url, now: () => Date.now() });
    open.push(store);
    return store;
  };
  const database = new URL(url).pathname.slice(1);
  const ofPresence = (what: string) =>
    server.run(
      'postgres',
      `select ${what} from pg_stat_activity where application_name = 'galley-presence' and datname = '${database}'`,
    );
  const admit = (isOpen: boolean) =>
    server.run('postgres', `alter database ${database} with allow_connections ${isOpen}`);
  return { another, ofPresence, admit };
}

describe.skipIf(!hasPostgres)('a process on PostgreSQL', () => {
  it('is present to others until its connection ends', async () => {
    const { another } = await place();
    const [mine, other] = [await another(), await another()];
    const name = await mine.presence.enter();
    expect(await other.presence.has(name)).toBe(true);
    expect(await other.presence.has('1')).toBe(false);
    await mine.close();
    await vi.waitFor(async () => expect(await other.presence.has(name)).toBe(false), 10_000);
  });

  it('comes back under its name when its connection is dropped', async () => {
    const { another, ofPresence, admit } = await place();
    const [mine, other] = [await another(), await another()];
    const name = await mine.presence.enter();
    await ofPresence('pg_terminate_backend(pid)');
    await vi.waitFor(async () => expect(await other.presence.has(name)).toBe(true), 10_000);

    // Who enters while it is away is answered when it is there again.
    await admit(false);
    await ofPresence('pg_terminate_backend(pid)');
    await vi.waitFor(async () => expect(await other.presence.has(name)).toBe(false), 10_000);
    const entered = mine.presence.enter();
    await admit(true);
    await entered;
    expect(await other.presence.has(name)).toBe(true);
  });
});
