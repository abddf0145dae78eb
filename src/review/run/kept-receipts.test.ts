import { mkdtempSync, readdirSync, rmSync, statSync, utimesSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import type { Receipt } from '../../core/model/receipt.js';
import { keptReceipts } from './kept-receipts.js';

const base = mkdtempSync(join(tmpdir(), 'galley-receipts-'));
afterAll(() => rmSync(base, { recursive: true, force: true }));

const folder = join(base, 'galley', 'receipts');
const receipt = (id: string) => ({ id, ledger: [], pages: [] }) as unknown as Receipt;
const of = { operation: 'review:run', createdAt: 1, summary: {} };

it('keeps the newest, as many and as old as the bounds say', async () => {
  const kept = keptReceipts(base, { files: 3, bytes: 10_000, ageMs: 3_600_000 });
  const agedBy = (id: string, at: Date) => utimesSync(join(folder, `${id}.json`), at, at);
  await kept.put(receipt('old'), of);
  const { mtimeMs } = statSync(join(folder, 'old.json'));
  for (const [at, id] of ['a', 'b', 'c'].entries()) {
    expect(await kept.put(receipt(id), of)).toBe(true);
    agedBy(id, new Date(mtimeMs - 60_000 + at * 1000));
  }
  rmSync(join(folder, 'old.json'), { force: true });
  expect((await kept.list({ limit: 9 })).map(({ id }) => id)).toEqual(['c', 'b']);
  expect(await kept.get('a')).toBeUndefined();
  for (const id of ['b', 'c']) agedBy(id, new Date(mtimeMs - 7_200_000));
  await kept.put(receipt('d'), of);
  expect(readdirSync(folder)).toEqual(['d.json']);
  const small = keptReceipts(base, { files: 9, bytes: 1, ageMs: 60_000 });
  await small.put(receipt('e'), of);
  expect(readdirSync(folder)).toHaveLength(1);
});

it('gives nothing for a name that is no id', async () => {
  expect(await keptReceipts(base).get('../receipts/e')).toBeUndefined();
});
