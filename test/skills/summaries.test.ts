// Summaries of a book, through the operations: written once, used where they hold, and never over a person's words.
import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { GalleyError } from '../../src/core/model/error.js';
import { call } from '../../src/operations/call.js';
import { scriptedModel } from '../../src/testing/scripted-model.js';
import { claimFolder } from '../../src/writing/folder/project-folder.js';
import { openWorkshop, type Workshop } from './workshop.js';

let workshop: Workshop;
beforeEach(async () => {
  workshop = await openWorkshop();
});
afterEach(() => workshop.close());

const telling = '林远推开旧门，屋里没有人。'.repeat(40);
const chapter = (number: number) => `# 第${number}章\n\n${telling}\n`;

async function openBook(folders: readonly string[] = ['']): Promise<void> {
  let number = 0;
  for (const folder of folders)
    for (let at = 0; at < 3; at += 1) {
      number += 1;
      await workshop.write(`${folder}第${number}章.md`, chapter(number));
    }
  await claimFolder(workshop.store, 'novel', workshop.folder);
}

interface Summarised {
  readonly estimate: { readonly calls: number; readonly wholes: number; readonly inputTokens: number };
  readonly summaries: readonly { documentId: string; kind: string; outcome: string; code?: string }[];
  readonly complete: boolean;
  readonly runs: readonly { receipt: string }[];
  readonly receipts: readonly { id: string }[];
}

/** Says which chapter it was shown. */
const reader = (fails: (prompt: string) => boolean = () => false) =>
  scriptedModel([
    async ({ prompt }) => {
      if (fails(prompt)) throw new GalleyError('MODEL_UNAVAILABLE', 'Gone.');
      const title = /第\d+章/.exec(prompt)?.[0] ?? '';
      return prompt.includes('# 第') ? `${title}里林远找到了钥匙。然后他走了。` : `整卷始于${title}。`;
    },
  ]);

const summarise = (model = reader(), request: object = {}) =>
  call(
    'book:summarise',
    { projectId: 'novel', model: 'test/scripted', concurrency: 1, ...request },
    { ...workshop.context, model: async () => model },
  ) as Promise<Summarised>;
const outcomes = ({ summaries }: Summarised) =>
  summaries.map(({ documentId, outcome }) => `${documentId} ${outcome}`);
const fileOf = (path: string) => join(workshop.folder, '.galley/summaries', path);
const storyOf = async (documentId: string) =>
  (await workshop.dryRun({ skillId: 'continue', documentId, language: 'zh' })).userContent;

describe('summaries of a book', () => {
  it('are priced, written as files, and asked for once', async () => {
    await openBook();
    const model = reader();
    const priced = await summarise(model, { dryRun: true });
    expect(priced.estimate).toMatchObject({ calls: 3, wholes: 1 });
    expect(priced.estimate.inputTokens).toBeGreaterThan(500);
    expect(model.requests).toHaveLength(0);
    const first = await summarise(model);
    expect(outcomes(first)).toEqual([
      '第1章.md written',
      '第2章.md written',
      '第3章.md written',
      'book written',
    ]);
    expect(first.complete).toBe(true);
    expect(first.runs.map(({ receipt }) => receipt)).toEqual(first.receipts.map(({ id }) => id));
    const { receipts } = await workshop.call<{ receipts: { id: string; operation: string }[] }>(
      'receipts:list',
      {
        projectId: 'novel',
      },
    );
    expect(receipts.filter(({ operation }) => operation === 'book:summarise')).toHaveLength(4);
    expect(await readFile(fileOf('第1章.md'), 'utf8')).toMatch(
      /^---\nhash: [0-9a-f]{64}\nby: test\/scripted\nwritten: [0-9a-f]{16}\n---\n\n第1章里林远找到了钥匙。然后他走了。\n$/,
    );
    const second = await summarise(model);
    expect(outcomes(second).every((row) => row.endsWith(' kept'))).toBe(true);
    expect(second.estimate).toEqual({ calls: 0, wholes: 0, inputTokens: 0 });
    expect(model.requests).toHaveLength(4);
  });

  it('are counted without a model, and not written without one', async () => {
    await openBook(['一/', '二/']);
    const none = async () => {
      throw new GalleyError('MODEL_NOT_CONFIGURED', 'None.');
    };
    const ask = (request: object) =>
      call('book:summarise', { projectId: 'novel', ...request }, { ...workshop.context, model: none });
    const { estimate } = (await ask({ dryRun: true })) as Summarised;
    expect(estimate).toMatchObject({ calls: 6, wholes: 3 });
    expect(estimate).not.toHaveProperty('dollars');
    for (const request of [{}, { dryRun: true, model: 'nobody/knows' }])
      await expect(ask(request)).rejects.toMatchObject({ code: 'MODEL_NOT_CONFIGURED' });
  });

  it('stand in the prompt of a later chapter, and lapse when their chapter changes', async () => {
    await openBook();
    await summarise();
    expect(await storyOf('第3章.md')).toContain('第2章里林远找到了钥匙');
    expect(await storyOf('第1章.md')).not.toContain('找到了钥匙');
    await workshop.write('第2章.md', `${chapter(2)}\n他改了主意。\n`);
    const changed = await storyOf('第3章.md');
    expect(changed).not.toContain('第2章里林远找到了钥匙');
    expect(changed).toContain('第1章里林远找到了钥匙');
    const { summaries } = await workshop.call<{ summaries: { documentId: string; state: string }[] }>(
      'summaries:list',
      { projectId: 'novel' },
    );
    expect(summaries.map(({ documentId, state }) => `${documentId} ${state}`)).toEqual([
      '第1章.md fresh',
      '第2章.md stale',
      '第3章.md fresh',
      'book stale',
    ]);
    await workshop.call('summaries:put', { projectId: 'novel', documentId: '第2章.md' });
    expect(await storyOf('第3章.md')).toContain('第2章里林远找到了钥匙');
  });

  it('that a person changed are never written over unless that is asked for', async () => {
    await openBook();
    await summarise();
    const path = fileOf('第2章.md');
    await writeFile(path, (await readFile(path, 'utf8')).replace('找到了钥匙', '丢了钥匙'));
    await workshop.write('第2章.md', `${chapter(2)}\n他改了主意。\n`);
    expect(outcomes(await summarise())).toContain('第2章.md by-hand');
    expect(await readFile(path, 'utf8')).toContain('丢了钥匙');
    expect(outcomes(await summarise(reader(), { again: true }))).toEqual([
      '第1章.md written',
      '第2章.md by-hand',
      '第3章.md written',
    ]);
    expect(await readFile(path, 'utf8')).toContain('丢了钥匙');
    expect(outcomes(await summarise(reader(), { again: true, byHand: true }))).toContain('第2章.md written');
    expect(await readFile(path, 'utf8')).not.toContain('丢了钥匙');
  });

  it('go on after a failure, and name what is missing', async () => {
    await openBook();
    const first = await summarise(reader((prompt) => prompt.includes('# 第2章')));
    expect(outcomes(first)).toEqual(['第1章.md written', '第2章.md failed', '第3章.md written']);
    expect(first.complete).toBe(false);
    const model = reader();
    expect(outcomes(await summarise(model))).toEqual([
      '第1章.md kept',
      '第2章.md written',
      '第3章.md kept',
      'book written',
    ]);
    expect(model.requests).toHaveLength(2);
  });

  it('of a part stand in for its chapters once these lie far back', async () => {
    await openBook(['一/', '二/', '三/', '四/', '五/']);
    const { summaries } = await summarise();
    expect(summaries.filter(({ kind }) => kind === 'part')).toHaveLength(5);
    const story = await storyOf('五/第15章.md');
    expect(story).toContain('整卷始于第1章');
    expect(story).not.toContain('第2章里林远');
    expect(story).toContain('第14章里林远');
  });

  it('outlive the database, and are found in a store without a folder', async () => {
    await openBook();
    await summarise();
    const before = await storyOf('第3章.md');
    await rm(join(workshop.folder, '.galley', 'galley.db'), { force: true });
    const again = await openWorkshop({ folder: workshop.folder });
    await claimFolder(again.store, 'novel', workshop.folder);
    const after = await again.dryRun({ skillId: 'continue', documentId: '第3章.md', language: 'zh' });
    await again.close();
    expect(after.userContent).toBe(before);
    for (const number of [1, 2])
      await workshop.call('documents:put', {
        ...{ projectId: 'app', documentId: `c${number}`, title: `第${number}章`, order: number },
        text: chapter(number),
      });
    await workshop.call('summaries:put', { projectId: 'app', documentId: 'c1', text: '钥匙在井里。' });
    const { userContent } = await workshop.dryRun({
      projectId: 'app',
      skillId: 'continue',
      documentId: 'c2',
    });
    expect(userContent).toContain('钥匙在井里。');
    expect(userContent).not.toContain('hash:');
  });
});

describe('a scene card', () => {
  it('is changed field by field, keeps what a writer noted, and goes where the scene is written', async () => {
    await openBook();
    const put = (fields: object) =>
      workshop.call<{ text: string }>('scenes:put', {
        projectId: 'novel',
        documentId: '第2章.md',
        ...fields,
      });
    await put({ pov: '林远', beats: ['他找钥匙。'] });
    const path = join(workshop.folder, '.galley/scenes/第2章.md');
    await writeFile(path, `${await readFile(path, 'utf8')}\n## 备忘\n\n别忘了雨。\n`);
    expect((await put({ pov: '阿远', place: '老宅', beats: ['门开了。'] })).text).toBe(
      '视角：阿远\n地点：老宅\n\n## 节拍\n\n- 他找钥匙。\n- 门开了。\n\n## 备忘\n\n别忘了雨。\n',
    );
    const promptOf = async (skillId: string, documentId: string) => {
      const { systemPrompt, userContent } = await workshop.dryRun({ skillId, documentId, language: 'zh' });
      return `${systemPrompt}\n${userContent}`;
    };
    expect(await promptOf('continue', '第2章.md')).toContain('视角：阿远');
    expect(await promptOf('expand', '第2章.md')).toContain('门开了。');
    expect(await promptOf('polish', '第2章.md')).not.toContain('视角：阿远');
    expect(await promptOf('continue', '第3章.md')).not.toContain('视角：阿远');
    await workshop.call('scenes:delete', { projectId: 'novel', documentId: '第2章.md' });
    expect(await promptOf('continue', '第2章.md')).not.toContain('视角：阿远');
  });
});
