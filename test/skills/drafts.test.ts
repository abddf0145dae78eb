import { lstat, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Model } from '../../src/models/contract/model.js';
import { call } from '../../src/operations/call.js';
import { scriptedModel } from '../../src/testing/scripted-model.js';
import { followFolder } from '../../src/writing/folder/follow-folder.js';
import { claimFolder } from '../../src/writing/folder/project-folder.js';
import { openWorkshop, type Workshop } from './workshop.js';

let workshop: Workshop;
beforeEach(async () => {
  workshop = await openWorkshop();
});
afterEach(() => workshop.close());

interface Run {
  readonly draft?: string;
  readonly text: string;
  readonly variants?: readonly { readonly draft?: string; readonly text: string }[];
  readonly warnings: readonly string[];
}

const chapter = 'chapters/01.md';
const text = '# 第一章\n\n雨停了。林远走进院子。\n\n夜深了，没有人说话。\n';

const run = async (texts: readonly string[], request: object = {}): Promise<Run> => {
  const model: Model = scriptedModel(
    texts.map((words) => ({ text: words })),
    'test/w',
  );
  const asked = { projectId: 'novel', skillId: 'polish', documentId: chapter, model: 'test/w', ...request };
  return (await call('ai:skill:run', asked, { ...workshop.context, model: async () => model })) as Run;
};
const op = <T = Record<string, unknown>>(id: string, request: object = {}) =>
  workshop.call<T>(id, { projectId: 'novel', ...request });

/** The same book twice: files of a folder, documents of a store. */
const homes = {
  folder: {
    put: async (words: string | Uint8Array) => {
      await workshop.write(chapter, words);
      await workshop.store.projects.put('novel', {});
      await claimFolder(workshop.store, 'novel', workshop.folder);
      await followFolder(workshop.store, 'novel', workshop.folder);
    },
    get: () => readFile(join(workshop.folder, chapter), 'utf8'),
  },
  store: {
    put: async (words: string | Uint8Array) => {
      await op('documents:put', { documentId: chapter, text: Buffer.from(words).toString() });
    },
    get: async () => (await op<{ text: string }>('documents:get', { documentId: chapter })).text,
  },
} as const;

describe.each(['folder', 'store'] as const)('drafts in the %s', (where) => {
  const book = homes[where];

  it('become the chapter when they are applied, and leave it as it was when that is undone', async () => {
    await book.put(text);
    const { draft = '' } = await run(['雨歇了。林远走进了院子。\n\n夜深了，没有人说话。']);
    expect(draft).toBe('01-polish-1');
    expect(await book.get()).toBe(text);
    expect(await op('drafts:get', { draft: '1' })).toMatchObject({
      state: 'open',
      isStale: false,
      pieces: [
        { piece: 1, before: '雨停了。', after: '雨歇了。', line: 3, paragraph: 2 },
        { piece: 2, before: '林远走进院子。', after: '林远走进了院子。' },
      ],
    });
    expect(await op('drafts:apply', { draft })).toMatchObject({
      applied: [1, 2],
      remaining: [],
      isMerged: false,
    });
    const applied = '# 第一章\n\n雨歇了。林远走进了院子。\n\n夜深了，没有人说话。\n';
    expect(await book.get()).toBe(applied);
    expect((await op<{ text: string }>('documents:get', { documentId: chapter })).text).toBe(applied);
    expect(await workshop.store.summaries.recent('novel', 5)).toHaveLength(1);
    await expect(op('drafts:apply', { draft })).rejects.toMatchObject({ code: 'ALREADY_EXISTS' });
    expect(await op('drafts:undo')).toMatchObject({ documentId: chapter, draft, isMerged: false });
    expect(await book.get()).toBe(text);
    expect(await workshop.store.summaries.recent('novel', 5)).toEqual([]);
    await expect(op('drafts:undo')).rejects.toMatchObject({ code: 'NOT_FOUND' });
    expect(await op('drafts:list')).toMatchObject({ drafts: [{ draft, state: 'open', words: 18 }] });
  });

  it('are taken in pieces, the rest later, and undone one by one', async () => {
    await book.put(text);
    await run(['雨歇了。林远走进了院子。\n\n夜深了，没有人说话。']);
    expect(await op('drafts:apply', { draft: '1', pieces: [2] })).toMatchObject({
      applied: [2],
      remaining: [1],
    });
    expect(await book.get()).toContain('雨停了。林远走进了院子。');
    expect(await op('drafts:list')).toMatchObject({ drafts: [{ state: 'partly applied' }] });
    await expect(op('drafts:apply', { draft: '1', pieces: [3] })).rejects.toMatchObject({
      code: 'INVALID_ARGUMENT',
    });
    await op('drafts:apply', { draft: '1' });
    expect(await book.get()).toContain('雨歇了。林远走进了院子。');
    await op('drafts:undo', { documentId: chapter });
    expect(await book.get()).toContain('雨停了。林远走进了院子。');
    await op('drafts:undo');
    expect(await book.get()).toBe(text);
  });

  it('meet a chapter that was edited: elsewhere both stay, in the same place it is named and refused', async () => {
    await book.put(text);
    await run(['雨歇了。林远走进院子。\n\n夜深了，没有人说话。']);
    await run(['雨住了。林远走进院子。\n\n夜深了，没有人说话。']);
    await book.put(text.replace('没有人说话', '谁也不说话'));
    expect(await op('drafts:apply', { draft: '1' })).toMatchObject({ isMerged: true });
    expect(await book.get()).toBe('# 第一章\n\n雨歇了。林远走进院子。\n\n夜深了，谁也不说话。\n');
    await expect(op('drafts:apply', { draft: '2' })).rejects.toMatchObject({
      code: 'CHANGED_MEANWHILE',
      details: { path: chapter, paragraph: 2, line: 3, pieces: ['1'] },
    });
    await book.put((await book.get()).replace('夜深了', '夜更深了'));
    expect(await op('drafts:undo')).toMatchObject({ isMerged: true });
    expect(await book.get()).toBe('# 第一章\n\n雨停了。林远走进院子。\n\n夜更深了，谁也不说话。\n');
  });

  it('go on at the cursor, stand side by side as variants, and are none where a skill reports', async () => {
    await book.put(text);
    const { variants } = await run(['一。', '二。', '三。'], { skillId: 'continue', variants: 3 });
    expect(variants?.map(({ draft }) => draft)).toEqual(['01-continue-1', '01-continue-2', '01-continue-3']);
    expect(await op('drafts:apply', { draft: '2' })).toMatchObject({
      discarded: ['01-continue-1', '01-continue-3'],
    });
    expect(await book.get()).toBe(`${text}\n二。\n`);
    const { draft } = await run(['没有问题。'], { skillId: 'consistency' });
    expect(draft).toBeUndefined();
    expect(
      (await op<{ drafts: { state: string }[] }>('drafts:list')).drafts.map(({ state }) => state),
    ).toEqual(['discarded', 'applied', 'discarded']);
  });

  it("that were put aside for another wait again when that one is undone, and the author's choice stays", async () => {
    await book.put(text);
    await run(['一。', '二。', '三。'], { skillId: 'continue', variants: 3 });
    await op('drafts:discard', { draft: '1' });
    expect(await op('drafts:apply', { draft: '2' })).toMatchObject({ discarded: ['01-continue-3'] });
    expect(await op('drafts:undo')).toMatchObject({ reopened: ['01-continue-3'] });
    expect(await op('drafts:list')).toMatchObject({
      drafts: [{ state: 'discarded' }, { state: 'open' }, { state: 'open' }],
    });
  });

  it('are what the author makes of them', async () => {
    await book.put(text);
    await run(['雨歇了。林远走进院子。\n\n夜深了，没有人说话。']);
    await op('drafts:update', { draft: '1', text: '雪停了。林远走进院子。\n\n夜深了，没有人说话。' });
    await op('drafts:apply', { draft: '1' });
    expect(await book.get()).toContain('雪停了。');
    await run(['无。']);
    await op('drafts:discard', { draft: '2' });
    expect(await op('drafts:get', { draft: '01-polish-2' })).toMatchObject({
      state: 'discarded',
      text: '无。',
    });
    await expect(op('drafts:get', { draft: '9' })).rejects.toMatchObject({ code: 'NOT_FOUND' });
  });

  it('leave a history in which every state can be had again', async () => {
    await book.put(text);
    expect(await op('documents:snapshot', { documentId: chapter, name: '初稿' })).toMatchObject({
      version: 1,
    });
    await expect(op('documents:snapshot', { documentId: chapter, name: '初稿' })).rejects.toMatchObject({
      code: 'ALREADY_EXISTS',
    });
    await run(['雨歇了。']);
    await op('drafts:apply', { draft: '1' });
    await book.put('# 第一章\n\n手写的。\n');
    expect(await op('documents:restore', { documentId: chapter, version: '初稿' })).toMatchObject({
      version: 1,
    });
    expect(await book.get()).toBe(text);
    const { versions } = await op<{ versions: { kind: string; version: number }[] }>('documents:history', {
      documentId: chapter,
    });
    expect(versions.map(({ kind }) => kind)).toEqual(['snapshot', 'apply', 'before', 'restore']);
    await op('documents:restore', { documentId: chapter, version: '3' });
    expect(await book.get()).toBe('# 第一章\n\n手写的。\n');
    await op('drafts:undo');
    await op('drafts:undo');
    expect(await book.get()).toBe('# 第一章\n\n手写的。\n');
  });
});

describe('a chapter that is not as one expects', () => {
  const { put } = homes.folder;
  const path = () => join(workshop.folder, chapter);
  const bytes = () => readFile(path());

  it('keeps its byte order mark, its line ends and its mode', async () => {
    const crlf = `\ufeff${text.replaceAll('\n', '\r\n')}`;
    await put(crlf);
    await run(['雨歇了。林远走进院子。\n\n夜深了，没有人说话。']);
    await op('drafts:apply', { draft: '1' });
    expect((await bytes()).toString()).toBe(crlf.replace('雨停了', '雨歇了'));
    await op('drafts:undo');
    expect((await bytes()).toString()).toBe(crlf);
  });

  it('is gone, a link, or no longer UTF-8: named, and nothing is written', async () => {
    await put(text);
    await run(['雨歇了。']);
    await rm(path());
    await expect(op('drafts:apply', { draft: '1' })).rejects.toMatchObject({
      code: 'NOT_FOUND',
      message: expect.stringContaining(chapter),
    });
    await writeFile(join(workshop.folder, 'elsewhere.md'), text);
    await symlink(join(workshop.folder, 'elsewhere.md'), path());
    await expect(op('drafts:apply', { draft: '1' })).rejects.toMatchObject({
      code: 'FILE_UNREADABLE',
      message: expect.stringContaining('it is a link'),
    });
    expect((await lstat(path())).isSymbolicLink()).toBe(true);
    expect(await readFile(join(workshop.folder, 'elsewhere.md'), 'utf8')).toBe(text);
    await rm(path());
    const gbk = Buffer.from([0xd3, 0xea, 0xcd, 0xa3, 0xc1, 0xcb]);
    await writeFile(path(), gbk);
    await expect(op('drafts:apply', { draft: '1' })).rejects.toMatchObject({
      code: 'FILE_UNREADABLE',
      message: expect.stringContaining('UTF-8'),
    });
    expect(Buffer.compare(await bytes(), gbk)).toBe(0);
  });

  it('that was removed comes back from its history', async () => {
    await put(text);
    await op('documents:snapshot', { documentId: chapter });
    await rm(path());
    await op('documents:restore', { documentId: chapter, version: '1' });
    expect((await bytes()).toString()).toBe(text);
    await expect(op('drafts:undo')).rejects.toMatchObject({ code: 'NOT_FOUND' });
  });
});

describe('a whole chapter', () => {
  const paragraphs = Array.from(
    { length: 300 },
    (_, n) => `第${n}段里，林远慢慢走过院子，看了看那棵老槐树，没有说话。`,
  );
  const long = `# 第一章\n\n${paragraphs.join('\n\n')}\n`;

  it('is polished in as many calls as it takes, and becomes one draft [W10]', async () => {
    await homes.folder.put(long);
    const shown = await workshop.dryRun({ skillId: 'polish', documentId: chapter, model: 'test/w' });
    const { pieces = [] } = shown as { pieces?: readonly { start: number; end: number }[] };
    expect(pieces.length).toBeGreaterThan(1);
    const texts = pieces.map(({ start, end }) =>
      [...long].slice(start, end).join('').replaceAll('慢慢', '').trim(),
    );
    const { draft = '' } = await run(texts);
    expect(await op('drafts:apply', { draft })).toMatchObject({ remaining: [] });
    expect(await homes.folder.get()).toBe(long.replaceAll('慢慢', ''));
    await op('drafts:undo');
    expect(await homes.folder.get()).toBe(long);
  });

  it('is checked in one call, and makes no draft [W10]', async () => {
    await homes.folder.put(long);
    const { text: report, draft } = await run(['没有发现矛盾。'], { skillId: 'consistency' });
    expect([report, draft]).toEqual(['没有发现矛盾。', undefined]);
  });
});
