import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openStore } from '../store/sqlite/open-store.js';
import type { Store } from '../store/store.js';
import { claimFolder } from '../writing/folder/project-folder.js';
import { call } from './call.js';
import type { Grant, OperationContext } from './operation.js';

let store: Store;
let folder = '';

beforeEach(async () => {
  store = await openStore({ path: ':memory:', now: () => 1 });
  folder = await mkdtemp(join(tmpdir(), 'galley-exchange-'));
});

afterEach(async () => {
  await store.close();
  await rm(folder, { recursive: true, force: true });
});

const context = (grants: readonly Grant[] = ['read', 'write']): OperationContext => ({
  ...{ signal: new AbortController().signal, folder, debug: false, grants: new Set(grants) },
  log: () => undefined,
  now: () => 1_700_000_000_000,
  store: async () => store,
  model: () => Promise.reject(new Error('no model here')),
});
const run = (id: string, request: object, grants?: readonly Grant[]) =>
  call(id, { projectId: 'novel', ...request }, context(grants));

const book = 'Chapter 1\nRain.\n\nChapter 2\nSnow.\n';

describe('documents:import', () => {
  it('takes a path only within the folder that the project owns', async () => {
    await writeFile(join(folder, 'book.text'), book);
    await expect(run('documents:import', { path: 'book.text' })).rejects.toMatchObject({
      code: 'INVALID_ARGUMENT',
    });
    await claimFolder(store, 'novel', folder);
    await expect(run('documents:import', { path: '../book.text' })).rejects.toMatchObject({
      code: 'INVALID_ARGUMENT',
    });
    expect(await run('documents:import', { path: 'book.text' })).toMatchObject({
      place: 'folder',
      written: true,
      chapters: [{ path: '001 Chapter 1.txt' }, { path: '002 Chapter 2.txt' }],
    });
    expect(await readFile(join(folder, '002 Chapter 2.txt'), 'utf8')).toBe('Chapter 2\nSnow.\n');
  });

  it('takes text or bytes, one of the two, and writes nothing in a dry run', async () => {
    const base64 = Buffer.from(book).toString('base64');
    for (const file of [
      { name: 'a.txt' },
      { name: 'a.txt', text: book, base64 },
      { name: 'a.txt', base64: 'no!' },
    ])
      await expect(run('documents:import', { files: [file] })).rejects.toMatchObject({
        code: 'INVALID_ARGUMENT',
      });
    const asked = { files: [{ name: 'a.txt', base64 }], dryRun: true };
    expect(await run('documents:import', asked)).toMatchObject({ place: 'store', written: false });
    expect(await store.documents.list('novel')).toEqual([]);
    expect(await run('documents:import', { ...asked, dryRun: false })).toMatchObject({ written: true });
    expect((await store.documents.list('novel')).map(({ title }) => title)).toEqual([
      'Chapter 1',
      'Chapter 2',
    ]);
  });
});

describe('documents:export', () => {
  it('gives the file in its answer, and the same one again', async () => {
    await run('documents:import', { files: [{ name: 'a.txt', text: book }] });
    const asked = { format: 'txt', title: 'Rain: a novel' };
    const answer = await run('documents:export', asked, ['read']);
    expect(answer).toMatchObject({ name: 'Rain a novel.txt', text: book, language: 'en', chapters: 2 });
    expect(await run('documents:export', { format: 'docx' })).toEqual(
      await run('documents:export', { format: 'docx' }),
    );
    await expect(run('documents:export', { format: 'epub', projectId: 'empty' })).rejects.toMatchObject({
      code: 'NOT_FOUND',
    });
  });

  it('writes a new file of the folder for whoever may write, never a chapter, never over another', async () => {
    await claimFolder(store, 'novel', folder);
    await run('documents:import', { files: [{ name: 'a.txt', text: book }] });
    const to = (path: string, format = 'epub', grants?: readonly Grant[]) =>
      run('documents:export', { format, path }, grants);
    await expect(to('book.epub', 'epub', ['read'])).rejects.toMatchObject({ code: 'FORBIDDEN' });
    for (const [path, format] of [
      ['../book.epub'],
      ['book.zip'],
      ['book.md', 'md'],
      ['out/book.txt', 'txt'],
    ] as const)
      await expect(to(path, format)).rejects.toMatchObject({ code: 'INVALID_ARGUMENT' });
    expect(await to('book.epub')).toMatchObject({ path: 'book.epub' });
    await expect(to('book.epub')).rejects.toMatchObject({ code: 'ALREADY_EXISTS' });
    expect(await to('.out/book.md', 'md')).not.toHaveProperty('text');
    expect((await readdir(folder)).sort()).toEqual([
      '.out',
      '001 Chapter 1.txt',
      '002 Chapter 2.txt',
      'book.epub',
    ]);
  });
});
