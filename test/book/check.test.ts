// A whole book is checked: findings stand where they say, a model is asked once for what it read, and what is intended stays quiet
// exactly as long as its words stand.
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { GalleyError } from '../../src/core/model/error.js';
import { call } from '../../src/operations/call.js';
import type { AnswerOf } from '../../src/operations/table.js';
import { nastyText } from '../../src/testing/nasty-text.js';
import { type Line, type ScriptedModel, scriptedModel } from '../../src/testing/scripted-model.js';
import { claimFolder } from '../../src/writing/folder/project-folder.js';
import { openWorkshop, type Workshop } from '../skills/workshop.js';
import { sweepSize } from '../sweep-size.js';

type BookCheck = AnswerOf<'book:check'>;

let shop: Workshop;
beforeEach(async () => {
  shop = await openWorkshop();
});
afterEach(() => shop.close());

const project = { projectId: 'novel' };
const put = (documentId: string, order: number, text: string) =>
  shop.call('documents:put', { ...project, documentId, order, title: `第${order}章`, text });
const rule = (text: string) => shop.call('constraints:create', { ...project, text, kind: 'style' });

async function check(model?: ScriptedModel, request: object = {}, onEstimate?: (said: object) => void) {
  const context = {
    ...shop.context,
    ...(model === undefined ? {} : { model: async () => model }),
    ...(onEstimate === undefined ? {} : { onEstimate }),
  };
  const asked = { ...project, ...(model === undefined ? {} : { model: model.id }), ...request };
  return (await call('book:check', asked, context)) as BookCheck;
}

const none = '{"findings": []}';

async function threeChapters(): Promise<void> {
  await put('one', 1, '# 第一章\n\n林远推开门。他是左撇子。\n');
  await put('two', 2, '# 第二章\n\n林远用右手写字，“快跑！”他喊。\n');
  await put('three', 3, '# 第三章\n\n雨停了。\n');
  await rule('不使用感叹号');
  await rule('每一章都要写到天气');
  await shop.call('entities:put', { ...project, name: '林远', description: '左撇子' });
}

describe('book:check', () => {
  it('places every finding: the quote stands at its offsets, on its line, in its sentence', async () => {
    await rule('No exclamation marks.');
    await rule('不使用感叹号');
    const piece = fc.oneof(
      nastyText(12),
      fc.constantFrom(
        '她跑了！',
        'Run! ',
        '\n',
        '\n\n',
        '😀',
        '😀😀😀😀\n',
        '\n她跑了！',
        '# 标题\n',
        '他说。',
        'Mr. Hall left! ',
      ),
    );
    let found = 0;
    await fc.assert(
      fc.asyncProperty(fc.array(piece, { minLength: 1, maxLength: 12 }), async (pieces) => {
        const text = pieces.join('').toWellFormed();
        await put('one', 1, text);
        const { findings } = await check();
        const points = [...text];
        for (const { start, end, quote, before, after, line } of findings) {
          found += 1;
          expect(points.slice(start, end).join('')).toBe(quote);
          expect(text).toContain(`${before}${quote}${after}`);
          expect(points.slice(0, start).filter((point) => point === '\n').length + 1).toBe(line);
        }
        expect(findings.map(({ start }) => start)).toEqual(
          findings.map(({ start }) => start).sort((left, right) => left - right),
        );
      }),
      { numRuns: sweepSize('placed findings', { everyRun: 60, nightly: 2_000 }) },
    );
    expect(found).toBeGreaterThan(60);
  });

  it('asks a model for what no check covers and for consistency, with what the book says in a fence', async () => {
    await threeChapters();
    const model = scriptedModel([
      none,
      '{"findings": [{"constraint": 2, "quote": "林远用右手写字", "reason": "他是左撇子"}]}',
      none,
    ]);
    const answer = await check(model);
    expect(answer).toMatchObject({ chapters: 3, complete: true, unchecked: [], failed: [] });
    expect(
      answer.findings.map(({ documentId, rule: said, check: kind }) => [documentId, said, kind]),
    ).toEqual([
      ['two', '林远: 左撇子', 'model'],
      ['two', '不使用感叹号', 'forbidden-punctuation'],
    ]);
    const { prompt = '' } = model.requests[1] ?? {};
    const fenced = /===== BEGIN KNOWN (\w+) =====\n([\s\S]*)===== END KNOWN \1 =====/u.exec(prompt)?.[2];
    expect(fenced).toContain('2. 林远: 左撇子');
    expect(fenced).toContain('林远推开门');
    const receipts = await shop.store.receipts.list('novel');
    expect(receipts.filter(({ operation }) => operation === 'book:check')).toHaveLength(3);
  });

  it('asks nothing twice, and only for what changed', async () => {
    await threeChapters();
    const first = scriptedModel(['{"findings": [{"constraint": 1, "quote": "雨停了", "reason": "r"}]}']);
    const said = await check(first);
    expect(first.requests).toHaveLength(3);
    const second = scriptedModel([none]);
    const again = await check(second);
    expect(second.requests).toHaveLength(0);
    expect(again.findings).toEqual(said.findings);
    await put('three', 3, '# 第三章\n\n雨又下了。\n');
    const third = scriptedModel([none]);
    expect((await check(third)).estimate).toMatchObject({ pages: 3, calls: 1 });
    expect(third.requests).toHaveLength(1);
    const other = scriptedModel([none], 'test/other');
    await check(other);
    expect(other.requests).toHaveLength(3);
  });

  it('names the chapter that failed, goes on, and asks only for it the next time', async () => {
    await threeChapters();
    const fails: Line = async ({ prompt }) => {
      if (/BEGIN PASSAGE[\s\S]*右手/u.test(prompt))
        throw new GalleyError('MODEL_UNAVAILABLE', 'It did not answer.');
      return none;
    };
    const answer = await check(scriptedModel([fails]));
    expect(answer.complete).toBe(false);
    expect(answer.failed).toEqual([
      { documentId: 'two', title: '第2章', code: 'MODEL_UNAVAILABLE', message: 'It did not answer.' },
    ]);
    expect(answer.findings).toHaveLength(1);
    const model = scriptedModel([none]);
    expect((await check(model)).complete).toBe(true);
    expect(model.requests).toHaveLength(1);
    const unread = await check(scriptedModel(['no JSON at all'], 'test/talker'));
    expect(unread.failed.map(({ code }) => code)).toEqual(Array(3).fill('MODEL_ANSWER_INVALID'));
  });

  it('reads a chapter in pages where it is longer than the model, and finds the place in each', async () => {
    await rule('每一章都要写到天气');
    const paragraphs = Array.from({ length: 30 }, (_, index) => `${'他走了很久。😀'.repeat(60)}第${index}处`);
    await put('one', 1, paragraphs.join('\n\n'));
    const answerOf: Line = async ({ prompt }) => {
      const quote = [...prompt.matchAll(/第\d+处/gu)].at(-1)?.[0] ?? '';
      return JSON.stringify({ findings: [{ constraint: 1, quote, reason: '没有写到' }] });
    };
    const model = scriptedModel([answerOf]);
    shop.context.prices = async () => ({
      version: 'test',
      rows: [{ model: model.id, input: 1, output: 1, window: 8_000, mostOutput: 1_000 }],
    });
    const { findings, estimate } = await check(model);
    expect(model.requests.length).toBeGreaterThan(2);
    expect(estimate).toMatchObject({ pages: model.requests.length, calls: model.requests.length });
    expect(estimate?.dollars).toBeGreaterThan(0);
    expect(findings).toHaveLength(model.requests.length);
    const points = [...paragraphs.join('\n\n')];
    for (const { start, end, quote } of findings) expect(points.slice(start, end).join('')).toBe(quote);
    const silent = scriptedModel([none]);
    expect((await check(silent)).findings).toEqual(findings);
    expect(silent.requests).toHaveLength(0);
  });

  it('says the price before the first call; a dry run makes none', async () => {
    await threeChapters();
    const told: unknown[] = [];
    const model = scriptedModel([
      async () => {
        expect(told).toHaveLength(1);
        return none;
      },
    ]);
    const dry = await check(model, { dryRun: true }, (estimate) => told.push(estimate));
    expect(model.requests).toHaveLength(0);
    expect(dry.estimate).toMatchObject({ pages: 3, calls: 3 });
    told.length = 0;
    await check(model, {}, (estimate) => told.push(estimate));
    expect(model.requests).toHaveLength(3);
  });

  it('shows nothing of itself to whoever writes', async () => {
    await threeChapters();
    const asked = { ...project, documentId: 'two', cursorPosition: 3, skillId: 'continue', layout: 'exact' };
    const prompt = async () => (await shop.call<{ prompt: string }>('context:assemble', asked)).prompt;
    const before = await prompt();
    await check(scriptedModel(['{"findings": [{"constraint": 1, "quote": "雨停了", "reason": "r"}]}']));
    await shop.call('book:intended:put', { ...project, words: '快跑！' });
    expect(await prompt()).toBe(before);
  });
});

describe('what is intended', () => {
  it('holds exactly as long as the words stand in the chapter', async () => {
    await rule('不使用感叹号');
    await shop.call('book:intended:put', { ...project, words: '“快跑！”他喊', chapter: 'one', why: '引语' });
    const piece = fc.constantFrom('“快跑！”他喊', '快跑！', '他喊', '。', '“', '雨停了！', '\n');
    const seen = new Set<boolean>();
    await fc.assert(
      fc.asyncProperty(fc.array(piece, { minLength: 1, maxLength: 6 }), async (pieces) => {
        const text = pieces.join('');
        await put('one', 1, text);
        await put('two', 2, text);
        const { findings, intended } = await check();
        const stands = text.includes('“快跑！”他喊');
        for (const finding of findings) {
          const start = finding.start - 3;
          const covers = finding.documentId === 'one' && text.slice(start, start + 7) === '“快跑！”他喊';
          expect(finding.intended).toBe(covers);
          seen.add(covers);
        }
        expect(intended > 0).toBe(stands);
        const list = await shop.call<AnswerOf<'book:intended:list'>>('book:intended:list', project);
        expect(list.intended.map(({ holds }) => holds)).toEqual([stands]);
      }),
      { numRuns: sweepSize('intended words', { everyRun: 40, nightly: 1_000 }) },
    );
    expect(seen).toEqual(new Set([true, false]));
  });

  it('stands in a file of the folder that people edit too', async () => {
    await shop.write('01.md', '# 第一章\n\n“快跑！”他喊。\n');
    await shop.write('.galley/constraints.md', '- 不使用感叹号\n');
    await shop.store.projects.put('novel', {});
    await claimFolder(shop.store, 'novel', shop.folder);
    expect((await check()).findings.map(({ intended }) => intended)).toEqual([false]);
    await shop.call('book:intended:put', {
      ...project,
      words: '“快跑！”',
      chapter: '01.md',
      rule: '不使用感叹号',
    });
    const path = join(shop.folder, '.galley/intended.md');
    expect(await readFile(path, 'utf8')).toContain(
      '- “快跑！” <!-- chapter: 01.md, rule: 不使用感叹号 -->\n',
    );
    expect((await check()).intended).toBe(1);
    await shop.write('.galley/intended.md', '- 别的话\n- “快跑！”\n');
    expect((await check()).intended).toBe(1);
    const { intended } = await shop.call<AnswerOf<'book:intended:list'>>('book:intended:list', project);
    expect(intended.map(({ words, holds }) => [words, holds])).toEqual([
      ['别的话', false],
      ['“快跑！”', true],
    ]);
    await shop.call('book:intended:delete', { ...project, id: intended[1]?.id });
    expect(await readFile(path, 'utf8')).toBe('- 别的话\n');
    expect((await check()).intended).toBe(0);
  });
});
