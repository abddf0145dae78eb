// A scene card in the front matter of a chapter: it plans the scene, and is never taken for its prose.
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { AnswerOf } from '../../src/operations/table.js';
import { frontLength, withoutFront } from '../../src/writing/documents/front-matter.js';
import { followFolder } from '../../src/writing/folder/follow-folder.js';
import { claimFolder } from '../../src/writing/folder/project-folder.js';
import { frontScene } from '../../src/writing/notes/scene-front.js';
import { openWorkshop, type Workshop } from './workshop.js';

let shop: Workshop;
beforeEach(async () => {
  shop = await openWorkshop();
});
afterEach(() => shop.close());

const op = <T>(id: string, request: object = {}) => shop.call<T>(id, { projectId: 'novel', ...request });
const documentId = '第2章.md';
const prose = '# 第二章\n\n雨停了！林远推开门。\n\n屋里没有人。\n';
const front =
  '---\n# 我的笔记\n视角: 林远\n标签: [雨夜, 老宅]\n节拍:\n  - 他推开门\n  - 钥匙不见了\n字数目标: 3000\n---\n';
const chapter = () => readFile(join(shop.folder, documentId), 'utf8');

const homes = {
  folder: async (text: string) => {
    await shop.write(documentId, text);
    await shop.store.projects.put('novel', {});
    await claimFolder(shop.store, 'novel', shop.folder);
    await followFolder(shop.store, 'novel', shop.folder);
  },
  store: async (text: string) => {
    await op('documents:put', { documentId, text });
  },
} as const;

describe('front matter', () => {
  it('is fields between two lines, and nothing that a chapter may begin with', () => {
    expect(withoutFront(front + prose)).toBe(prose);
    expect(frontScene(front + prose)).toEqual({ pov: '林远', beats: ['他推开门', '钥匙不见了'] });
    expect(frontScene('---\r\n视角：Ada\r\ntime: 10 pm\r\n---\r\nText.')).toEqual({
      pov: 'Ada',
      time: '10 pm',
    });
    for (const text of [
      '---\n\n雨停了。\n\n---\n\n夜深了。\n',
      '---\n林远说：“走吧。”\n---\n',
      '---\n---\n',
      '---\npov: Ada\n',
      '--- \nHe waited. Nobody came: nobody at all.\n\nNight.\n---\n',
    ])
      expect([frontLength(text), frontScene(text)]).toEqual([0, undefined]);
    expect(frontScene('---\ntitle: [\n---\n')).toBeUndefined();
  });
});

describe.each(['folder', 'store'] as const)('a scene card in a chapter of the %s', (where) => {
  beforeEach(() => homes[where](front + prose));

  it('is told to who continues or expands, and its chapter is sent without it', async () => {
    for (const skillId of ['continue', 'expand', 'polish']) {
      const { systemPrompt = '', userContent = '' } = await op<Record<string, string>>('ai:skill:run', {
        ...{ skillId, documentId, dryRun: true },
      });
      const sent = systemPrompt + userContent;
      expect([skillId, sent.includes('视角：林远'), sent.includes('- 钥匙不见了')]).toEqual(
        skillId === 'polish' ? [skillId, false, false] : [skillId, true, true],
      );
      for (const words of ['字数目标', '我的笔记', '雨夜', '视角: 林远']) expect(sent).not.toContain(words);
      expect(sent).toContain('雨停了');
    }
  });

  it('leaves findings at their places, and is found in none of them', async () => {
    await op('constraints:create', { text: '不使用感叹号', kind: 'style' });
    await op('constraints:create', { text: '禁用词：老宅', kind: 'style' });
    const { findings } = await op<AnswerOf<'book:check'>>('book:check');
    expect(findings).toMatchObject([{ quote: '！', line: 12, paragraph: 1 }]);
    const text = front + prose;
    expect([...text].slice(findings[0]?.start, findings[0]?.end).join('')).toBe('！');
  });

  it('is changed where it stands, field by field, and taken out of there', async () => {
    expect(await op('scenes:list')).toMatchObject({ scenes: [{ documentId, inChapter: true }] });
    const changed = await op<{ text: string }>('scenes:put', {
      ...{ documentId, pov: '阿秀', place: '老宅: 后院', beats: ['门自己关上了'] },
    });
    expect(changed).toEqual({
      documentId,
      inChapter: true,
      text: '视角：阿秀\n地点：老宅: 后院\n\n## 节拍\n\n- 他推开门\n- 钥匙不见了\n- 门自己关上了\n',
    });
    const text = async () => (await op<{ text: string }>('documents:get', { documentId })).text;
    expect(await text()).toBe(
      '---\n# 我的笔记\n视角: 阿秀\n标签: [雨夜, 老宅]\n节拍:\n  - 他推开门\n  - 钥匙不见了\n  - 门自己关上了\n字数目标: 3000\n地点: "老宅: 后院"\n---\n' +
        prose,
    );
    await op('scenes:delete', { documentId });
    expect(await text()).toBe(`---\n# 我的笔记\n标签: [雨夜, 老宅]\n字数目标: 3000\n---\n${prose}`);
    await expect(op('scenes:delete', { documentId })).rejects.toMatchObject({ code: 'NOT_FOUND' });
    expect(await op('scenes:put', { documentId, pov: '林远' })).toMatchObject({ inChapter: false });
  });
});

describe('a chapter file with a card', () => {
  it('keeps its byte order mark, line ends and everything else', async () => {
    const crlf = `\ufeff${(front + prose).replaceAll('\n', '\r\n')}`;
    await homes.folder(crlf);
    await op('scenes:put', { documentId, time: '半夜' });
    expect(await chapter()).toBe(crlf.replace('字数目标: 3000\r\n', '字数目标: 3000\r\n时间: 半夜\r\n'));
    await op('scenes:delete', { documentId });
    expect(await chapter()).toBe(
      crlf.replace('视角: 林远\r\n', '').replace('节拍:\r\n  - 他推开门\r\n  - 钥匙不见了\r\n', ''),
    );
    await homes.folder(`---\npov: Ada\nbeats: [one, two]\n---\n\n${prose}`);
    await op('scenes:put', { documentId, beats: ['three'] });
    expect(await chapter()).toContain('beats:\n  - one\n  - two\n  - three\n---\n');
    await op('scenes:delete', { documentId });
    expect(await chapter()).toBe(prose);
  });
});
