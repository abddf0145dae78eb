// Names without a card: found in Chinese and in English, grouped where plain, never a word that is no name; described by a model
// only if asked, and only once.
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { call } from '../../src/operations/call.js';
import type { AnswerOf } from '../../src/operations/table.js';
import { scriptedModel } from '../../src/testing/scripted-model.js';
import { openWorkshop, type Workshop } from '../skills/workshop.js';

type Proposed = AnswerOf<'entities:propose'>;

let shop: Workshop;
beforeEach(async () => {
  shop = await openWorkshop();
});
afterEach(() => shop.close());

const project = { projectId: 'novel' };
const propose = (request: object = {}) => shop.call<Proposed>('entities:propose', { ...project, ...request });

async function chapters(texts: readonly string[]): Promise<void> {
  for (const [index, text] of texts.entries())
    await shop.call('documents:put', { ...project, documentId: `c${index + 1}`, order: index + 1, text });
}

const chinese = Array.from(
  { length: 4 },
  (_, index) =>
    `第${index + 1}章\n\n林远推开门，走到窗前。林远说道：“又下雨了。”阿秀笑道：“你总是这样。”林远听了，低头不语。\n\n` +
    '众人都笑了。半晌，阿秀问道：“老周呢？”老周说：“我在这里。”老周看着窗外。忽然，远处传来一声。阿秀听见了，没有说话。\n\n' +
    '“走吧。”陈思雨说道。思雨走到门口，思雨说：“快点。”陈思雨笑着，思雨问道：“你来吗？”\n',
);

const english = Array.from(
  { length: 4 },
  () =>
    'The rain had stopped. “Where is Mr. Hall?” asked Anna. Then Anna Berg smiled. However, Hall was gone, and Mr. Hall would not be back.\n\n' +
    'In the morning Anna went to Westport, and on Monday she told Hall. He knew Westport well. It was, Anna said, the only place for the English.\n',
);

describe('entities:propose', () => {
  it('finds the people of a Chinese book, surnames and given names together', async () => {
    await chapters(chinese);
    const { people } = await propose();
    expect(people.map(({ name, aliases }) => [name, ...aliases]).sort()).toEqual([
      ['林远'],
      ['老周'],
      ['阿秀'],
      ['陈思雨', '思雨'],
    ]);
    for (const { name, aliases, quotes, chapters: places, count } of people) {
      expect([places.length, quotes.length]).toEqual([4, 2]);
      expect(count).toBeGreaterThanOrEqual(8);
      for (const { documentId, line, text } of quotes) {
        const { text: chapter } = await shop.store.documents.get('novel', documentId);
        expect(chapter.split('\n')[line - 1]).toContain(text);
        expect([name, ...aliases].some((each) => text.includes(each))).toBe(true);
      }
    }
  });

  it('finds the people and places of an English book, titles and first names together', async () => {
    await chapters(english);
    const { people } = await propose({ minCount: 4 });
    expect(people.map(({ name, aliases }) => [name, ...aliases]).sort()).toEqual([
      ['Anna Berg', 'Anna'],
      ['Mr. Hall', 'Hall'],
      ['Westport'],
    ]);
  });

  it('leaves out whoever has a card, by any of the names', async () => {
    await chapters(chinese);
    await shop.call('entities:put', { ...project, name: '小陈', aliases: ['思雨'], description: '学生' });
    await shop.call('entities:put', { ...project, name: '林远', description: '守夜人' });
    expect((await propose()).people.map(({ name }) => name).sort()).toEqual(['老周', '阿秀']);
    expect((await propose({ names: ['阿秀'] })).people.map(({ name }) => name)).toEqual(['阿秀']);
  });

  it('and cards know no fact that ends before it begins', async () => {
    const facts = [{ text: '病了', from: 5, until: 3 }];
    await expect(
      shop.call('entities:put', { ...project, name: '林远', description: '守夜人', facts }),
    ).rejects.toMatchObject({ code: 'INVALID_ARGUMENT', message: expect.stringContaining('until') });
  });

  it('has a model describe them from sentences in a fence, once', async () => {
    await chapters(chinese);
    const model = scriptedModel(['爱说笑的女孩。']);
    const context = { ...shop.context, model: async () => model };
    const ask = async (request: object = {}) =>
      (await call(
        'entities:propose',
        { ...project, names: ['阿秀'], model: model.id, ...request },
        context,
      )) as Proposed;
    const dry = await ask({ dryRun: true });
    expect(model.requests).toHaveLength(0);
    expect(dry.estimate).toMatchObject({ pages: 1, calls: 1 });
    const { people, complete } = await ask();
    expect([complete, people[0]?.description]).toEqual([true, '爱说笑的女孩。']);
    const { prompt = '' } = model.requests[0] ?? {};
    expect(
      /===== BEGIN SENTENCES (\w+) =====\n([\s\S]*)===== END SENTENCES \1 =====/u.exec(prompt)?.[2],
    ).toContain('= 阿秀');
    expect((await ask()).people[0]?.description).toBe('爱说笑的女孩。');
    expect(model.requests).toHaveLength(1);
  });

  it('keeps nothing that is no name', async () => {
    const plain = '众人都笑道：“好。”一面说道，大家听了。半晌不语，厉声喝道：“谁？”口内说道：“走。”\n'.repeat(
      5,
    );
    await chapters([plain, plain, plain, plain]);
    expect((await propose({ minCount: 1, minChapters: 1 })).people).toEqual([]);
  });
});
