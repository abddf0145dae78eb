// A chapter file under another name keeps what stands about it: card, summary, drafts, history, promises. Told by its words, not guessed.
import { access, readFile, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { call } from '../../src/operations/call.js';
import { scriptedModel } from '../../src/testing/scripted-model.js';
import { followFolder } from '../../src/writing/folder/follow-folder.js';
import { claimFolder } from '../../src/writing/folder/project-folder.js';
import { openWorkshop, type Workshop } from '../skills/workshop.js';

let shop: Workshop;
beforeEach(async () => {
  shop = await openWorkshop();
  await shop.write('01.md', '# 第一章\n\n雨停了。林远走进院子。\n');
  await shop.write('02.md', '# 第二章\n\n夜深了。\n');
  await shop.store.projects.put('novel', {});
  await claimFolder(shop.store, 'novel', shop.folder);
  await follow();
});
afterEach(() => shop.close());

const op = <T = object>(id: string, request: object = {}) =>
  shop.call<T>(id, { projectId: 'novel', ...request });
const follow = () => followFolder(shop.store, 'novel', shop.folder);
const at = (path: string) => join(shop.folder, path);
const isThere = (path: string) =>
  access(at(path)).then(
    () => true,
    () => false,
  );

describe('a chapter that is renamed', () => {
  it('keeps its card, summary, drafts, history and the promises that name it, and says so', async () => {
    await op('scenes:put', { documentId: '01.md', pov: '林远' });
    await op('promises:add', { text: '院子里是谁？', chapter: '01.md' });
    await op('documents:snapshot', { documentId: '01.md', name: '初稿' });
    const model = scriptedModel([{ text: '雨歇了。林远走进院子。' }, { text: '雨住了。' }], 'test/w');
    const context = { ...shop.context, model: async () => model };
    const asked = { projectId: 'novel', skillId: 'polish', documentId: '01.md', model: 'test/w' };
    await call('ai:skill:run', asked, context);
    await op('drafts:apply', { draft: '1' });
    await op('summaries:put', { documentId: '01.md', text: '林远回来了。' });
    await call('ai:skill:run', asked, context);

    await rename(at('01.md'), at('01-归来.md'));
    const { renamed, warnings } = await follow();
    expect(renamed).toEqual([{ from: '01.md', to: '01-归来.md' }]);
    expect(warnings).toMatchObject([{ code: 'CHAPTER_RENAMED', details: { path: '01-归来.md' } }]);
    expect((await follow()).renamed).toEqual([]);

    const documentId = '01-归来.md';
    expect(await op('scenes:list')).toMatchObject({ scenes: [{ documentId, text: '视角：林远\n' }] });
    expect(await op('summaries:list')).toMatchObject({ summaries: [{ documentId, state: 'fresh' }, {}] });
    expect(await op('promises:list')).toMatchObject({
      promises: [{ chapter: documentId, lastTouched: documentId }],
    });
    expect(await readFile(at('.galley/episodes.md'), 'utf8')).toContain(`chapter: ${documentId}`);
    expect(await op('drafts:list')).toMatchObject({
      drafts: [
        { documentId, state: 'applied' },
        { documentId, state: 'open' },
      ],
    });
    expect(await op('documents:history', { documentId })).toMatchObject({
      versions: [{ name: '初稿' }, { kind: 'apply' }],
    });
    await op('drafts:undo');
    expect(await readFile(at(documentId), 'utf8')).toBe('# 第一章\n\n雨停了。林远走进院子。\n');
    await rename(at(documentId), at('01-again.md'));
    await follow();
    expect(await op('documents:restore', { documentId: '01-again.md', version: '初稿' })).toMatchObject({
      version: 1,
    });
    expect(await isThere('01.md')).toBe(false);
  });

  it('is told by its words: where two have them, or none, nothing is carried and nothing is lost', async () => {
    await op('scenes:put', { documentId: '01.md', pov: '林远' });
    const words = await readFile(at('01.md'));
    await shop.write('03.md', words);
    await shop.write('04.md', words);
    await rm(at('01.md'));
    expect((await follow()).renamed).toEqual([]);
    expect(await isThere('.galley/scenes/01.md')).toBe(true);
    await shop.write('.galley/scenes/05.md', '地点：老宅\n');
    await op('scenes:put', { documentId: '02.md', pov: '阿秀' });
    await rename(at('02.md'), at('05.md'));
    await follow();
    expect(await readFile(at('.galley/scenes/05.md'), 'utf8')).toBe('地点：老宅\n');
    expect(await isThere('.galley/scenes/02.md')).toBe(true);
  });
});
