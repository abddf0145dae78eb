// What one key, one budget and one job may use, kept to by several workers that know of each other only by the store.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openStore } from '../store/sqlite/open-store.js';
import type { Store } from '../store/store.js';
import { scriptedModel } from '../testing/scripted-model.js';
import { paidModel } from './paid-model.js';

const request = {
  prompt: 'Does it rain?',
  maxOutputTokens: 1,
  timeouts: { firstByteMs: 1000, totalMs: 1000 },
};
const options = { signal: new AbortController().signal };

let folder: string;
let workers: Store[];
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'galley-paid-'));
  const open = () => openStore({ path: join(folder, 'galley.db'), now: () => 1_000_000 });
  workers = [await open(), await open(), await open()];
});
afterEach(async () => {
  await Promise.all(workers.map((store) => store.close()));
  rmSync(folder, { recursive: true, force: true });
});

const row = { model: 'test/*', input: 1000, output: 1000, mostOutput: 1 };
const catalogOf = (limits: object) => ({ version: 'test', rows: [{ ...row, ...limits }] });
const owner = { mark: 'm', grants: ['run'] };
const job = (nth: number) => ({ project: 'p', id: `job-${nth}`, owner });

/** Each call is of a job of its own, and the workers take them by turns. */
function callsOf(
  count: number,
  { limits = {}, draft = {} }: { limits?: object; draft?: object },
): { answered: Promise<PromiseSettledResult<unknown>[]>; waits: number[] } {
  const waits: number[] = [];
  const answer = { text: 'It rains.', usage: { inputTokens: 4, outputTokens: 1 } };
  // Only what goes over the network is paid for.
  const model = { ...scriptedModel([answer], 'test/m'), family: 'http' as const };
  const answered = Promise.allSettled(
    Array.from({ length: count }, (_, nth) => {
      const store = workers[nth % workers.length] as Store;
      const rest = async (ms: number) => void waits.push(ms);
      const paid = paidModel(model, { ...job(nth), ...draft }, { store, catalog: catalogOf(limits), rest });
      return paid.run(request, options);
    }),
  );
  return { answered, waits };
}

const codes = (results: readonly PromiseSettledResult<unknown>[]) =>
  results.map((result) => (result.status === 'fulfilled' ? 'answered' : result.reason.code));

describe('several workers', () => {
  it('ask a provider no faster together than one alone may', async () => {
    const { answered, waits } = callsOf(12, { limits: { callsPerMinute: 60 } });
    expect(codes(await answered)).toEqual(Array(12).fill('answered'));
    // Six seconds of the pace may come at once; each of the others waits a second longer than the one before it.
    expect(waits.toSorted((one, other) => one - other)).toEqual([1000, 2000, 3000, 4000, 5000]);
  });

  it('wait for tokens, and have back what a call did not use', async () => {
    const { answered, waits } = callsOf(6, { limits: { tokensPerMinute: 60 } });
    await answered;
    expect(waits.length).toBeGreaterThan(0);
    const after = await workers[0]?.paces.take('model:test/m', { tokensPerMinute: 60 }, { tokens: 1 });
    // Six calls of five tokens are thirty seconds of the pace, whatever was foreseen for them.
    expect(after).toEqual({ taken: true, waitMs: 24_000 });
  });

  it('spend no more of one budget than it holds, and refuse the rest', async () => {
    // A call costs half a cent.
    const budget = { owner: 'token:m', limits: { dollars: 0.04 } };
    const { answered } = callsOf(30, { draft: { owner: { ...owner, budget } } });
    const told = codes(await answered);
    const passed = told.filter((code) => code === 'answered').length;
    expect(new Set(told)).toEqual(new Set(['answered', 'COST_CEILING_REACHED']));
    const { spent } = (await workers[1]?.spending.get('token:m', 'month')) ?? {};
    expect(spent).toMatchObject({ microDollars: passed * 5000 });
    expect(spent?.microDollars).toBeLessThanOrEqual(40_000);
    expect(passed).toBeGreaterThan(0);
  });

  it('hold a job to its ceiling over all its attempts', async () => {
    const draft = { id: 'one', ceiling: 12_000 };
    const first = codes(await callsOf(2, { draft }).answered);
    const again = codes(await callsOf(9, { draft }).answered);
    expect([...first, ...again].filter((code) => code === 'answered').length).toBe(2);
    expect(new Set(again)).toEqual(new Set(['COST_CEILING_REACHED']));
  });
});
