// What does pg-boss earn over claims on our own table? Empty jobs through the one interface of engines, by one worker and by several,
// on a private PostgreSQL; then a worker that is gone with ten jobs in its hands. By turns, so that both meet the same machine.
import { setTimeout as sleep } from 'node:timers/promises';
import { embeddedEngine } from '../src/jobs/embedded-engine.js';
import type { JobEngine } from '../src/jobs/job-engine.js';
import { pgBossEngine } from '../src/jobs/pg-boss-engine.js';
import { openStore } from '../src/store/postgres/open-store.js';
import type { Store } from '../src/store/store.js';
import { privateServer } from '../test/postgres/private-server.js';

const jobs = Number(process.env.JOBS ?? 1000);
const projects = 20;
const rounds = Number(process.env.ROUNDS ?? 3);
const atOnce = 10;

interface Worker {
  readonly store: Store;
  readonly engine: JobEngine;
}

const engines = {
  'pg-boss': (url: string, store: Store, leaseMs: number) =>
    pgBossEngine({ url, leaseMs, jobs: async () => store.jobs }),
  claims: async (_: string, store: Store, leaseMs: number) => embeddedEngine(async () => store.jobs, leaseMs),
};
type Name = keyof typeof engines;

async function offer(store: Store, count: number): Promise<void> {
  const draft = { operation: 'o', request: {}, owner: {} };
  for (let nth = 0; nth < count; nth += 1) await store.jobs.add(`p${nth % projects}`, draft);
}

async function crew(name: Name, url: string, size: number, leaseMs: number): Promise<Worker[]> {
  const workers: Worker[] = [];
  for (let nth = 0; nth < size; nth += 1) {
    const store = await openStore({ url, now: () => Date.now(), patienceMs: 20_000 });
    workers.push({ store, engine: await engines[name](url, store, leaseMs) });
  }
  return workers;
}

async function disband(workers: readonly Worker[]): Promise<void> {
  for (const { store, engine } of workers) {
    await engine.close();
    await store.close();
  }
}

/** Jobs a second, and how often a worker looked and got nothing although there was something. */
async function throughput(name: Name, url: string, size: number) {
  const workers = await crew(name, url, size, 20_000);
  await offer((workers[0] as Worker).store, jobs);
  let ended = 0;
  let inVain = 0;
  const begun = performance.now();
  await Promise.all(
    workers.map(async ({ store, engine }) => {
      while (ended < jobs) {
        const taken = await engine.take(atOnce);
        if (taken.length === 0) {
          inVain += 1;
          await sleep(5);
        }
        await Promise.all(
          taken.map(async (job) => {
            if (await store.jobs.settle(job, { status: 'succeeded', answer: {} })) ended += 1;
            await engine.release(job);
          }),
        );
      }
    }),
  );
  const seconds = (performance.now() - begun) / 1000;
  await disband(workers);
  return { perSecond: Math.round(jobs / seconds), inVain };
}

/** How long after the last sign of life of a worker all its ten jobs are with another one. */
async function afterDeath(name: Name, url: string) {
  const leaseMs = 3000;
  const [dead, heir] = (await crew(name, url, 2, leaseMs)) as [Worker, Worker];
  await offer(dead.store, 10);
  const held = await dead.engine.take(10);
  const begun = performance.now();
  let back = 0;
  while (back < held.length) {
    back += (await heir.engine.take(10)).length;
    await sleep(50);
  }
  const backAfterMs = Math.round(performance.now() - begun);
  const stolen = await Promise.all(held.map((job) => dead.store.jobs.settle(job, { status: 'cancelled' })));
  await disband([dead, heir]);
  return { held: held.length, backAfterMs, stillChangedByTheDead: stolen.filter(Boolean).length };
}

const server = await privateServer();
for (let round = 0; round < rounds; round += 1) {
  for (const name of Object.keys(engines) as Name[]) {
    for (const size of [1, 4]) {
      const figures = await throughput(name, await server.newDatabase(), size);
      console.log(JSON.stringify({ engine: name, workers: size, ...figures }));
    }
    console.log(JSON.stringify({ engine: name, ...(await afterDeath(name, await server.newDatabase())) }));
  }
}
process.exit();
