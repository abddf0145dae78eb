// A database that drops its connections, as a pooler does, or turns read-only, as a failover does, while a model is asked: the answer
// is kept, nothing is asked twice, and every job ends.
import { afterEach, describe, expect, it } from 'vitest';
import type { GalleyError } from '../../src/core/model/error.js';
import { pgBossEngine } from '../../src/jobs/pg-boss-engine.js';
import type { JobWorld } from '../../src/jobs/run-job.js';
import { serveJobs } from '../../src/jobs/serve-jobs.js';
import { openStore } from '../../src/store/postgres/open-store.js';
import type { Store } from '../../src/store/store.js';
import { scriptedModel } from '../../src/testing/scripted-model.js';
import { hasPostgres, privateServer } from '../postgres/private-server.js';

const leaseMs = 20_000;
let open: Store | undefined;
afterEach(async () => {
  await open?.close();
  open = undefined;
});

async function database() {
  const server = await privateServer();
  const url = await server.newDatabase();
  const name = new URL(url).pathname.slice(1);
  const store = await openStore({ url, now: () => Date.now(), patienceMs: 20_000 });
  open = store;
  const dropAll = () =>
    server.run(
      'postgres',
      `select pg_terminate_backend(pid) from pg_stat_activity where datname = '${name}'`,
    );
  const setReadOnly = async (value: 'on' | 'off') => {
    await server.run('postgres', `alter database ${name} set default_transaction_read_only = ${value}`);
    await dropAll();
  };
  return { url, store, dropAll, setReadOnly };
}

/** Runs so many jobs of one call each; `during` happens while each is asked. */
async function runAll(
  { url, store }: { url: string; store: Store },
  count: number,
  during: () => Promise<unknown>,
) {
  const model = scriptedModel([
    async () => {
      await during();
      return 'It rains.';
    },
  ]);
  for (let nth = 0; nth < count; nth += 1) {
    const request = { projectId: 'p', messages: [{ role: 'user', content: `Question ${nth}?` }] };
    const owner = { mark: 'm', grants: ['read', 'run'] };
    await store.jobs.add('p', { operation: 'chat:complete', request, owner });
  }
  const world: JobWorld = {
    store,
    leaseMs,
    contextOf: async (_, signal) => ({
      ...{ signal, folder: '.', debug: false, grants: new Set(), log: () => {} },
      now: () => Date.now(),
      store: async () => store,
      model: async () => model,
    }),
  };
  const engine = await pgBossEngine({ url, leaseMs, jobs: async () => store.jobs });
  const serving = { engine, atOnce: 2, pollMs: 20, log: () => {}, untilIdle: true };
  await serveJobs({ ...serving, world: async () => world }).ended;
  return { jobs: await store.jobs.list('p'), asked: model.requests.map(({ prompt }) => prompt) };
}

describe.skipIf(!hasPostgres)('jobs on a database', () => {
  it('that drops every connection in the middle of each call lose no answer', async () => {
    const place = await database();
    const { jobs, asked } = await runAll(place, 4, place.dropAll);
    expect(jobs.map(({ status, attempts }) => [status, attempts])).toEqual(Array(4).fill(['succeeded', 1]));
    expect(asked).toHaveLength(4);
    expect(new Set(asked).size).toBe(4);
  });

  it('that is read-only when a worker starts are waited for, and it is told why', async () => {
    const { url, store, setReadOnly } = await database();
    await setReadOnly('on');
    const told: unknown[] = [];
    const onWait = ({ code, message }: GalleyError) => {
      told.push([code, message]);
      if (told.length === 1) void setReadOnly('off');
    };
    const engine = await pgBossEngine({ url, leaseMs, jobs: async () => store.jobs, onWait });
    expect(told[0]).toEqual(['STORE_UNAVAILABLE', expect.stringContaining('read-only')]);
    expect(await engine.take(1)).toEqual([]);
    await engine.close();
  });

  it('that is read-only when the answer comes wait until it can be kept', async () => {
    const place = await database();
    let refused = 0;
    const { jobAnswers } = place.store;
    const store: Store = {
      ...place.store,
      jobAnswers: {
        ...jobAnswers,
        put: (...given) =>
          jobAnswers.put(...given).catch(async (error: unknown) => {
            refused += 1;
            await place.setReadOnly('off');
            throw error;
          }),
      },
    };
    const { jobs, asked } = await runAll({ ...place, store }, 1, () => place.setReadOnly('on'));
    expect(jobs).toMatchObject([{ status: 'succeeded', attempts: 1 }]);
    expect([asked.length, refused]).toEqual([1, 1]);
  });
});
