import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { hasPostgres, privateServer } from '../../../../test/postgres/private-server.js';
import { openStoreAt } from '../../../store/place/open-store.js';
import { checkStoreCommand, copyStoreCommand, migrateStoreCommand } from './store-command.js';

let folder = '';
let said = '';

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'galley-store-command-'));
  said = '';
  for (const stream of [process.stdout, process.stderr])
    vi.spyOn(stream, 'write').mockImplementation((text) => {
      said += String(text);
      return true;
    });
});

afterEach(async () => {
  vi.restoreAllMocks();
  process.exitCode = undefined;
  await rm(folder, { recursive: true });
});

const put = async (path: string, text: string) => {
  const store = await openStoreAt({ path, now: () => 1 });
  await store.settings.put('novel', 'outline', text);
  await store.close();
};

describe('galley store', () => {
  it('says where nothing is that there is nothing, and makes no file', async () => {
    const store = join(folder, 'none.db');
    await expect(checkStoreCommand({ store })).rejects.toMatchObject({ code: 'NOT_FOUND' });
    await migrateStoreCommand({ store, json: true });
    expect(JSON.parse(said)).toEqual({ version: expect.any(Number) });
    await expect(checkStoreCommand({ store, project: 'none' })).rejects.toMatchObject({ code: 'NOT_FOUND' });
  });

  it('says that what belongs to a server stays behind', async () => {
    const from = join(folder, 'served.db');
    await put(from, 'It rained.');
    const store = await openStoreAt({ path: from, now: () => 1 });
    await store.tokens.create({ digest: 'a'.repeat(64), value: {} });
    await store.close();
    await copyStoreCommand({ from, to: join(folder, 'copy.db') });
    expect(said).toContain('Tokens (1) and jobs are not part of it');
  });

  it.skipIf(!hasPostgres)('copies to a database, compares, and never shows its address', async () => {
    const from = join(folder, 'novel.db');
    await put(from, 'It rained.');
    const to = await (await privateServer()).newDatabase();
    await copyStoreCommand({ from, to });
    expect(said).not.toContain('Tokens');
    expect(said).toContain('novel: settings, 1 rows');
    expect(said).toContain('Both hold the same.');
    expect(process.exitCode).toBeUndefined();
    await put(to, 'It stopped.');
    await checkStoreCommand({ store: from, against: to });
    expect(process.exitCode).toBe(3);
    expect(said).toMatch(/settings .*differs/);
    await expect(copyStoreCommand({ from, to })).rejects.toMatchObject({ code: 'ALREADY_EXISTS' });
    for (const secret of [new URL(to).password, '127.0.0.1', folder]) expect(said).not.toContain(secret);
    said = '';
    await checkStoreCommand({ store: to, project: 'novel', json: true });
    expect(JSON.parse(said)).toMatchObject({ isEqual: true, projects: [{ project: 'novel' }] });
  });
});
