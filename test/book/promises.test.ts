// The ledger of promises, in a folder and in a store: told by hand or proposed by a model, forgotten by rule, and known to whoever
// writes on.
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { call } from '../../src/operations/call.js';
import type { AnswerOf } from '../../src/operations/table.js';
import { scriptedModel } from '../../src/testing/scripted-model.js';
import { followFolder } from '../../src/writing/folder/follow-folder.js';
import { claimFolder } from '../../src/writing/folder/project-folder.js';
import { openWorkshop, type Workshop } from '../skills/workshop.js';

let shop: Workshop;
beforeEach(async () => {
  shop = await openWorkshop();
});
afterEach(() => shop.close());

const op = <T>(id: string, request: object = {}) => shop.call<T>(id, { projectId: 'novel', ...request });
const list = async (request: object = {}) =>
  (await op<AnswerOf<'promises:list'>>('promises:list', request)).promises;
const name = (order: number) => `c${String(order).padStart(2, '0')}.md`;
const ledger = () => readFile(join(shop.folder, '.galley', 'promises.md'), 'utf8');

const homes = {
  folder: async (texts: readonly string[]) => {
    for (const [index, text] of texts.entries()) await shop.write(name(index + 1), text);
    await shop.store.projects.put('novel', {});
    await claimFolder(shop.store, 'novel', shop.folder);
    await followFolder(shop.store, 'novel', shop.folder);
  },
  store: async (texts: readonly string[]) => {
    for (const [index, text] of texts.entries())
      await op('documents:put', { documentId: name(index + 1), order: index + 1, text });
  },
} as const;

/** Twelve chapters; the key is shown in the first and spoken of once more in the third. */
const twelve = Array.from({ length: 12 }, (_, index) => {
  const key = index === 0 ? '母亲留下一把银钥匙，没有说它开哪扇门。' : index === 2 ? '他摸了摸银钥匙。' : '';
  return `# 第${index + 1}章\n\n林远走在雨里，什么也没说。${key}夜深了，灯还亮着。\n`;
});
const silverKey = '银钥匙开哪扇门？';

describe.each(['folder', 'store'] as const)('promises in the %s', (where) => {
  beforeEach(() => homes[where](twelve));

  it('are noted, paid, owed again, reworded and taken out', async () => {
    const { id } = await op<{ id: string }>('promises:add', { text: silverKey, chapter: name(1) });
    await expect(op('promises:add', { text: silverKey })).rejects.toMatchObject({
      code: 'ALREADY_EXISTS',
      details: { id },
    });
    await expect(op('promises:add', { text: '谁？', chapter: 'none.md' })).rejects.toMatchObject({
      code: 'NOT_FOUND',
      details: { field: 'chapter' },
    });
    expect(await op('promises:pay', { id, chapter: name(9) })).toEqual({
      ...{ id, text: silverKey, state: 'paid', chapter: name(1), paidIn: name(9) },
    });
    expect(await list()).toMatchObject([{ state: 'paid', untouched: 0, forgotten: false }]);
    expect(await op('promises:update', { id, state: 'open' })).toEqual({
      ...{ id, text: silverKey, state: 'open', chapter: name(1) },
    });
    const changed = await op<{ id: string }>('promises:update', { id, text: '银钥匙丢了。' });
    await op('promises:add', { text: silverKey });
    await expect(op('promises:update', { id: changed.id, text: silverKey })).rejects.toMatchObject({
      code: 'ALREADY_EXISTS',
    });
    expect((await list()).map(({ text }) => text)).toEqual(['银钥匙丢了。', silverKey]);
    for (const row of await list()) await op('promises:remove', { id: row.id });
    expect(await list()).toEqual([]);
    await expect(op('promises:pay', { id })).rejects.toMatchObject({ code: 'NOT_FOUND' });
  });

  it('are forgotten when no chapter spoke of them for long enough, whatever common words stand there', async () => {
    await op('promises:add', { text: silverKey, chapter: name(1) });
    await op('promises:add', { text: '林远为什么什么也没说？', chapter: name(1) });
    expect(await list()).toMatchObject([
      { lastTouched: name(3), untouched: 9, forgotten: false },
      { lastTouched: name(12), untouched: 0, forgotten: false },
    ]);
    expect((await list({ forgottenAfter: 9 })).map(({ forgotten }) => forgotten)).toEqual([true, false]);
  });

  it('stand in the prompt of whoever goes by the plan, where they are owed by then, with a line of the receipt', async () => {
    const add = async (text: string, chapter: number) =>
      (await op<{ id: string }>('promises:add', { text, chapter: name(chapter) })).id;
    await add(silverKey, 1);
    await add('塔上的灯是谁点的？', 9);
    const debt = await add('欠老周的债怎么还？', 2);
    await op('promises:pay', { id: debt, chapter: name(6) });
    const sent = async (skillId: string, chapter: number) => {
      const model = scriptedModel([{ text: '好。' }], 'test/w');
      const asked = { projectId: 'novel', skillId, documentId: name(chapter), model: 'test/w', dryRun: true };
      const answer = await call('ai:skill:run', asked, { ...shop.context, model: async () => model });
      return JSON.stringify(answer);
    };
    const third = await sent('continue', 3);
    expect([silverKey, '老周的债', '塔上的灯'].map((words) => third.includes(words))).toEqual([
      true,
      true,
      false,
    ]);
    expect(third).toContain('"source":"promises"');
    const tenth = await sent('expand', 10);
    expect([silverKey, '老周的债', '塔上的灯'].map((words) => tenth.includes(words))).toEqual([
      true,
      false,
      true,
    ]);
    expect(await sent('polish', 10)).not.toContain(silverKey);
  });

  it('are proposed by a model with words of the chapter, at a price told before, once, and enter nothing by themselves', async () => {
    const found = JSON.stringify({
      promises: [
        { promise: silverKey, quote: '没有说它开哪扇门' },
        { promise: '谁在敲门？', quote: '这句话不在书里' },
      ],
    });
    const model = scriptedModel(
      [{ text: found }, { text: '{"promises": []}' }, { text: '不知道' }],
      'test/w',
    );
    const seen: object[] = [];
    const context = {
      ...shop.context,
      model: async () => model,
      onEstimate: (estimate: object) => seen.push({ ...estimate, asked: model.requests.length }),
    };
    const propose = async (request: object) =>
      (await call(
        'promises:propose',
        { projectId: 'novel', model: 'test/w', ...request },
        context,
      )) as AnswerOf<'promises:propose'>;
    const documentIds = [name(1), name(2)];
    await propose({ documentIds, dryRun: true });
    expect(model.requests).toHaveLength(0);
    const first = await propose({ documentIds });
    expect(first).toMatchObject({
      proposed: [{ text: silverKey, documentId: name(1), line: 3, quote: '没有说它开哪扇门' }],
      ...{ unfounded: 1, complete: true, failed: [] },
    });
    expect(seen).toMatchObject([
      { calls: 2, asked: 0 },
      { calls: 2, asked: 0 },
    ]);
    const again = await propose({ documentIds });
    expect([model.requests.length, again.proposed]).toEqual([2, first.proposed]);
    expect(await list()).toEqual([]);
    const broken = await propose({ documentIds: [name(1), name(3)] });
    expect(broken).toMatchObject({
      complete: false,
      failed: [{ documentId: name(3), code: 'MODEL_ANSWER_INVALID' }],
      proposed: [{ text: silverKey }],
    });
    const [{ text, documentId, quote } = { text: '', documentId: '', quote: '' }] = first.proposed;
    await op('promises:add', { text, chapter: documentId, quote });
    expect((await propose({ documentIds })).proposed).toEqual([]);
    const { receipts } = await op<AnswerOf<'receipts:list'>>('receipts:list');
    expect(receipts.filter(({ operation }) => operation === 'promises:propose')).toHaveLength(3);
  });
});

describe('the file of the ledger', () => {
  it('is changed by an editor and by commands, and every other byte stays', async () => {
    await homes.folder(twelve);
    const written =
      '\ufeff# 我的伏笔\r\n\r\n随手记。\r\n\r\n## 未收\r\n\r\n* 银钥匙开哪扇门？ <!-- chapter: 1 -->\r\n* 老周去了哪里？\r\n\r\n## 已收\r\n\r\n* 灯是谁点的？ <!-- chapter: 第2章, paid: 5 -->\r\n';
    await shop.write('.galley/promises.md', written);
    const [first, second, third] = await list();
    expect([first, second, third]).toMatchObject([
      { state: 'open', chapter: '1', lastTouched: name(3) },
      { state: 'open', text: '老周去了哪里？' },
      { state: 'paid', chapter: '第2章', paidIn: '5' },
    ]);
    await op('promises:pay', { id: first?.id, chapter: name(12) });
    expect(await ledger()).toBe(
      written
        .replace('* 银钥匙开哪扇门？ <!-- chapter: 1 -->\r\n', '')
        .concat(`- 银钥匙开哪扇门？ <!-- chapter: 1, paid: ${name(12)} -->\r\n`),
    );
    await op('promises:update', { id: second?.id, chapter: name(4) });
    expect(await ledger()).toContain(`* 老周去了哪里？ <!-- chapter: ${name(4)} -->\r\n`);
  });
});
