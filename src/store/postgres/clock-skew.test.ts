// Machines whose clocks are an hour apart share one database: leases, waiting times, paces and the end of tokens go by its clock alone.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { hasPostgres, privateServer } from '../../../test/postgres/private-server.js';
import type { Store } from '../store.js';
import { openStore } from './open-store.js';

const hour = 3_600_000;

describe.skipIf(!hasPostgres)('clocks that are an hour apart', () => {
  let behind: Store;
  let ahead: Store;
  beforeAll(async () => {
    const url = await (await privateServer()).newDatabase();
    const open = (skew: number) => openStore({ url, now: () => Date.now() + skew });
    behind = await open(-hour);
    ahead = await open(hour);
  });
  afterAll(async () => {
    await Promise.all([behind, ahead].map((store) => store?.close()));
  });

  it('leave a job with whoever holds its lease, and give it on when the lease ends', async () => {
    const draft = { operation: 'o', request: {}, owner: {} };
    const { id } = await behind.jobs.add('p', draft);
    const [held] = await behind.jobs.claim({ limit: 1 }, 60_000);
    expect(held?.id).toBe(id);
    expect(await ahead.jobs.waiting(1)).toEqual([]);
    expect(await ahead.jobs.claim({ limit: 1 }, 60_000)).toEqual([]);
    if (held === undefined) return;
    // The other way round: a lease that one who is ahead gave is not an hour longer for one who is behind.
    expect(await ahead.jobs.renew(held, 0)).toEqual({ cancelAsked: false });
    expect(await behind.jobs.claim({ limit: 1 }, 60_000)).toMatchObject([{ id, attempts: 2 }]);
  });

  it('wait as long for the next attempt, whoever looks', async () => {
    const { id } = await ahead.jobs.add('q', { operation: 'o', request: {}, owner: {} });
    const [held] = await ahead.jobs.claim({ names: [{ project: 'q', id }] }, 60_000);
    if (held !== undefined) await ahead.jobs.settle(held, { status: 'queued', afterMs: 60_000 });
    for (const store of [behind, ahead]) {
      expect(await store.jobs.claim({ names: [{ project: 'q', id }] }, 60_000)).toEqual([]);
    }
    const { createdAt, dueAt } = await behind.jobs.get('q', id);
    expect(Math.abs(dueAt - createdAt - 60_000)).toBeLessThan(hour / 2);
  });

  it('keep one pace', async () => {
    const limits = { callsPerMinute: 1, burstSeconds: 0 };
    const waits: number[] = [];
    for (const store of [ahead, behind, ahead, behind])
      waits.push((await store.paces.take('m', limits, { calls: 1 })).waitMs);
    expect(waits.map((wait) => Math.round(wait / 60_000))).toEqual([0, 1, 2, 3]);
  });
});
