// Whatever is killed, and whenever: no job is lost, none of its calls is paid twice beyond the one under way, books keep their order.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { hasPostgres, howToGetPostgres, privateServer } from '../postgres/private-server.js';
import { isNightly, sweepSize } from '../sweep-size.js';
import { type ChaosOutcome, type ChaosPlan, runChaos } from './chaos.js';

const kills = sweepSize('kills of servers and workers', { everyRun: 4, nightly: 150 });
const size = isNightly
  ? { servers: 3, workers: 4, reviews: 200, books: 50, aimedKills: 8, betweenKillsMs: 4000, answerMs: 400 }
  : { servers: 2, workers: 2, reviews: 6, books: 2, aimedKills: 1, betweenKillsMs: 900, answerMs: 250 };
const seed = 18;

function holds(outcome: ChaosOutcome): void {
  const { started, jobs, paidTwice, calls, prompts, outOfOrder, aimed } = outcome;
  expect(jobs.length).toBe(started);
  expect(jobs.filter(({ status }) => status !== 'succeeded')).toEqual([]);
  expect(prompts).toBeGreaterThan(started);
  expect(calls).toBeGreaterThanOrEqual(prompts);
  // Without one that strikes after an answer was stored, nothing is said about what is kept.
  expect(aimed).toBeGreaterThan(0);
  expect({ paidTwice, outOfOrder }).toEqual({ paidTwice: [], outOfOrder: 0 });
}

describe('jobs under kills', () => {
  it('lose nothing on one SQLite file, with servers that run jobs themselves beside a worker', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'galley-chaos-store-'));
    const plan: ChaosPlan = {
      ...{ ...size, kills, seed, servers: 2, workers: 1, serverJobs: 2 },
      store: join(folder, 'galley.db'),
    };
    try {
      holds(await runChaos(plan));
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  });

  it.skipIf(!hasPostgres)('lose nothing on PostgreSQL, restarts of it included', async () => {
    const server = await privateServer();
    const store = await server.newDatabase();
    holds(await runChaos({ ...size, kills, seed, store, serverJobs: 0, restartStore: server.restart }));
  });

  it.skipIf(hasPostgres)(howToGetPostgres, () => {});
});
