import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Store } from '../store.js';
import { openStore } from './open-store.js';

describe('lists that are remembered', () => {
  let folder = '';
  let path = '';
  let one: Store;
  let other: Store;

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'galley-remembered-'));
    path = join(folder, 'galley.db');
    one = await openStore({ path, now: () => 1 });
    other = await openStore({ path, now: () => 1 });
  });

  afterEach(async () => {
    await one.close();
    await other.close();
    await rm(folder, { recursive: true });
  });

  const titles = async (store: Store) => (await store.documents.list('p')).map(({ title }) => title);

  it('are the same answer while nothing changes, whatever is logged', async () => {
    await one.documents.put('p', { id: 'a', text: 'text' });
    const first = await one.documents.list('p');
    await one.receipts.put('p', { operation: 'o', value: 1 });
    await one.lanes.update('p', 'l', () => 1);
    expect(await one.documents.list('p')).toBe(first);
  });

  it('follow the writes of their own handle', async () => {
    await one.documents.put('p', { id: 'a', text: 'text', title: 'A' });
    expect(await titles(one)).toEqual(['A']);
    await one.documents.put('p', { id: 'a', text: 'text', title: 'B' });
    expect(await titles(one)).toEqual(['B']);
    await one.documents.delete('p', 'a');
    expect(await titles(one)).toEqual([]);
  });

  it('follow the writes of others', async () => {
    expect(await one.settings.list('p')).toEqual([]);
    expect(await titles(one)).toEqual([]);
    await other.documents.put('p', { id: 'a', text: 'text', title: 'A' });
    await other.settings.put('p', 'outline', 'words');
    expect(await titles(one)).toEqual(['A']);
    expect((await one.settings.list('p')).length).toBe(1);
    await other.documents.delete('p', 'a');
    expect(await titles(one)).toEqual([]);
  });

  it('follow the index, which is written by a connection of its own', async () => {
    expect(await one.chunks.indexedDocuments('p')).toEqual([]);
    await one.chunks.replaceChunks('p', { documentId: 'a', contentHash: 'h' }, []);
    expect((await one.chunks.indexedDocuments('p')).length).toBe(1);
    await one.chunks.forget('p', 'a');
    expect(await one.chunks.indexedDocuments('p')).toEqual([]);
  });

  it('keep projects apart', async () => {
    await one.documents.put('p', { id: 'a', text: 'text', title: 'A' });
    expect(await titles(one)).toEqual(['A']);
    expect(await one.documents.list('q')).toEqual([]);
  });
});
