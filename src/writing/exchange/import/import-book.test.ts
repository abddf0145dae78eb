import { mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openStore } from '../../../store/sqlite/open-store.js';
import type { Store } from '../../../store/store.js';
import { readChapters } from '../../folder/chapter-files.js';
import { importBook } from './import-book.js';

let store: Store;
let folder = '';

beforeEach(async () => {
  store = await openStore({ path: ':memory:', now: () => 1 });
  folder = await mkdtemp(join(tmpdir(), 'galley-import-'));
});

afterEach(async () => {
  await store.close();
  await rm(folder, { recursive: true, force: true });
});

interface Given {
  readonly into?: string;
  readonly isWritten?: boolean;
}

const bring = (files: Readonly<Record<string, string>>, { into, isWritten = true }: Given = {}) =>
  importBook(
    {
      files: Object.entries(files).map(([name, text]) => ({ name, bytes: Buffer.from(text) })),
      name: Object.keys(files).length === 1 ? (Object.keys(files)[0] ?? '') : 'my folder',
      into,
      isWritten,
    },
    { store, project: 'novel', folder },
  );

const files = async () =>
  (await readdir(folder, { recursive: true, withFileTypes: true }))
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(folder.length + 1))
    .sort();
const order = async () => (await readChapters(folder)).chapters.map(({ path }) => path);

const book =
  '雨夜\n\n第一卷 风\n第一章 来\n他来了。\n第二章 去\n他走了。\n第二卷 雨\n第一章 回\n他回来了。\n尾声\n完。\n';

describe('an import into a folder', () => {
  it('writes nothing before it is told to, and says what it would write', async () => {
    const { written, chapters } = await bring({ 'book.txt': book }, { isWritten: false });
    expect(written).toBe(false);
    expect(chapters).toHaveLength(7);
    expect(await files()).toEqual([]);
  });

  it('names files so that they are read in the order of the book, word for word', async () => {
    const { chapters } = await bring({ 'book.txt': book });
    const paths = await order();
    expect(paths).toEqual(chapters.map(({ path }) => path));
    const texts = await Promise.all(paths.map((path) => readFile(join(folder, path), 'utf8')));
    expect(texts.join('')).toBe(book);
    expect(paths[2]).toBe('01 第一卷 风/001 第一章 来.txt');
    expect((await store.documents.list('novel')).map(({ id }) => id)).toEqual(paths);
  });

  it('keeps that order where titles count otherwise', async () => {
    const parts = ['Chapter 1', 'Interlude', 'Chapter 2', 'Epilogue', 'Chapter 1', 'Appendix'];
    const { chapters } = await bring({
      'b.txt': parts.map((title, index) => `${title}\nText ${index}.\n`).join(''),
    });
    expect(await order()).toEqual(chapters.map(({ path }) => path));
    expect(chapters).toHaveLength(6);
  });

  it('puts a second book into a folder of its own, and writes over nothing', async () => {
    await writeFile(join(folder, 'mine.md'), '# Mine\n');
    await mkdir(join(folder, 'book'));
    await writeFile(join(folder, 'book', 'Chapter 1.md'), 'taken');
    const { chapters, warnings } = await bring({ 'book.md': '# Chapter 1\nRain.\n' });
    expect(chapters.map(({ path }) => path)).toEqual(['book/Chapter 1 (2).md']);
    expect(warnings.map(({ code }) => code)).toEqual(['NAME_TAKEN']);
    expect(await readFile(join(folder, 'book', 'Chapter 1.md'), 'utf8')).toBe('taken');
  });

  it('done twice changes nothing', async () => {
    await bring({ 'book.txt': book }, { into: '.' });
    const before = await files();
    const { chapters, warnings } = await bring({ 'book.txt': book }, { into: '.' });
    expect(chapters.every(({ isThere }) => isThere)).toBe(true);
    expect(warnings.map(({ code }) => code)).toEqual(['ALREADY_THERE']);
    expect(await files()).toEqual(before);
  });

  it('takes a folder of files as it is, and names what it cannot read', async () => {
    const { chapters, warnings, fields } = await bring({
      'one/01.md': '# One\n',
      'one/02.txt': '第一章\na\n第二章\nb\n',
      'bad.json': '{',
      'cover.jpg': 'x',
    });
    expect(chapters.map(({ path }) => path)).toEqual(['one/01.md', 'one/02.txt']);
    expect(warnings.map(({ code }) => code)).toEqual(['FILE_UNREADABLE']);
    expect(fields).toContainEqual({ field: '.jpg', became: 'left out', count: 1 });
  });

  it('puts cards where the writer sees them, and keeps the source', async () => {
    const world = (name: string, content: string) => JSON.stringify({ entries: [{ key: [name], content }] });
    expect((await bring({ 'w.json': world('断剑', '断了的剑。') })).cards[0]?.path).toBe('设定/断剑.md');
    await rm(join(folder, '设定'), { recursive: true });
    expect((await bring({ 'e.json': world('Mill', 'Old.') })).cards[0]?.path).toBe('codex/Mill.md');
    expect(await files()).toEqual(['.galley/imported/e.json', '.galley/imported/w.json', 'codex/Mill.md']);
  });

  it('follows no link out of the folder, and takes no folder outside', async () => {
    const elsewhere = await mkdtemp(join(tmpdir(), 'galley-elsewhere-'));
    await symlink(elsewhere, join(folder, 'codex'));
    const world = JSON.stringify({ entries: [{ key: ['Mill'], content: 'Old.' }] });
    await expect(bring({ 'w.json': world })).rejects.toMatchObject({ code: 'STORE_UNAVAILABLE' });
    expect(await readdir(elsewhere)).toEqual([]);
    await rm(elsewhere, { recursive: true });
    for (const into of ['../out', '/tmp/out'])
      await expect(bring({ 'b.txt': book }, { into })).rejects.toMatchObject({ code: 'INVALID_ARGUMENT' });
  });

  it('gives names that every file system takes', async () => {
    const { chapters } = await bring({ 'b.md': '# a/b:c*d?"<>|\nx\n# ..\ny\n# CON\nz\n' });
    expect(chapters.map(({ path }) => path)).toEqual(['001 a b c d.md', '002.md', '003.md']);
  });
});

describe('an import without a folder', () => {
  it('stores documents and entities, and leaves what is there', async () => {
    await store.entities.put('novel', { name: 'Mill', description: 'Mine.' });
    const place = { store, project: 'novel', folder: undefined };
    const world = JSON.stringify({
      entries: [
        { key: ['Mill'], content: 'Old.' },
        { key: ['Dam'], content: 'New.' },
      ],
    });
    const given = (name: string, text: string) => ({
      files: [{ name, bytes: Buffer.from(text) }],
      name,
      isWritten: true,
    });
    const cards = await importBook(given('w.json', world), place);
    expect(cards.warnings.map(({ code }) => code)).toEqual(['ALREADY_THERE']);
    expect((await store.entities.list('novel')).map(({ name, description }) => [name, description])).toEqual([
      ['Dam', 'New.'],
      ['Mill', 'Mine.'],
    ]);
    await importBook(given('b.txt', book), place);
    const texts = await Promise.all(
      (await store.documents.list('novel')).map(({ id }) => store.documents.get('novel', id)),
    );
    expect(texts.map(({ text }) => text).join('')).toBe(book);
  });
});
