// Caps over several runs: what was paid counts, whichever run paid it.
import { appendFileSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import type { Model } from '../../models/contract/model.js';
import { openSpending } from './spending.js';

const november = Date.UTC(2026, 10, 16);
const december = Date.UTC(2026, 11, 1);
/** A good dollar a call: a third of a million tokens at three dollars a million. */
const priced: Model = {
  id: 'anthropic/claude-sonnet-4-5',
  family: 'http',
  run: async () => ({ text: 'yes', finish: 'stop', usage: { inputTokens: 333_334, outputTokens: 0 } }),
};

function folderForTest(): string {
  const folder = mkdtempSync(join(tmpdir(), 'galley-spending-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

async function spend(
  folder: string,
  { number = 1, now = november, caps = {} } = {},
): Promise<number | undefined> {
  const spending = await openSpending(caps, {
    ...{ folder, repository: 'acme/widgets', number, now: () => now },
  });
  const request = { prompt: '', timeouts: { totalMs: 1, firstByteMs: 1 } };
  await spending.recorded(priced).run(request, { signal: new AbortController().signal });
  return spending.maxCost;
}

it('leaves a run what earlier runs on the pull request left', async () => {
  const folder = folderForTest();
  const caps = { maxPullCost: 2.5, maxCost: 2 };
  expect(await spend(folder, { caps })).toBe(2);
  expect(await spend(folder, { caps })).toBeCloseTo(1.5, 4);
  expect(await spend(folder, { caps, now: december })).toBeCloseTo(0.5, 4);
  await expect(spend(folder, { caps })).rejects.toMatchObject({ code: 'COST_CEILING_REACHED' });
  expect(await spend(folder, { caps, number: 2 })).toBe(2);
});

it('counts a month over all pull requests, and begins anew with the next', async () => {
  const folder = folderForTest();
  const caps = { maxMonthCost: 2 };
  await spend(folder, { caps });
  expect(await spend(folder, { caps, number: 2 })).toBeCloseTo(1, 4);
  await expect(spend(folder, { caps, number: 3 })).rejects.toMatchObject({ code: 'COST_CEILING_REACHED' });
  expect(await spend(folder, { caps, number: 3, now: december })).toBe(2);
});

it('reads past a line that was cut off', async () => {
  const folder = folderForTest();
  await spend(folder);
  const place = join(folder, 'galley', 'spending');
  const [name] = readdirSync(place);
  appendFileSync(join(place, name!), '{"pull":"0123');
  expect(await spend(folder, { caps: { maxMonthCost: 3 } })).toBeCloseTo(2, 4);
});

it('is refused where nothing remembers', async () => {
  const place = { folder: undefined, repository: 'acme/widgets', number: 1, now: () => november };
  await expect(openSpending({ maxPullCost: 1 }, place)).rejects.toMatchObject({ code: 'INVALID_ARGUMENT' });
  expect((await openSpending({ maxCost: 1 }, place)).maxCost).toBe(1);
});
