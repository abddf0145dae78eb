// What the writing desk reads in cards and rows, and what it says when it cannot: through the operations.
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import Database from 'libsql';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Receipt } from '../../src/core/model/receipt.js';
import type { Model } from '../../src/models/contract/model.js';
import { call } from '../../src/operations/call.js';
import { scriptedModel } from '../../src/testing/scripted-model.js';
import { claimFolder } from '../../src/writing/folder/project-folder.js';
import { openWorkshop, type Workshop } from './workshop.js';

let workshop: Workshop;
beforeEach(async () => {
  workshop = await openWorkshop();
});
afterEach(() => workshop.close());

const putChapters = async (count: number) => {
  for (let order = 1; order <= count; order += 1) {
    await workshop.call('documents:put', {
      projectId: 'novel',
      documentId: `c${order}`,
      title: `第${order}章`,
      order,
      text: '林远走进院子。',
    });
  }
};

interface Assembled {
  readonly prompt: string;
  readonly warnings: readonly string[];
  readonly receipt: Receipt;
}

const assembled = (documentId: string) =>
  workshop.call<Assembled>('context:assemble', {
    projectId: 'novel',
    documentId,
    cursorPosition: 0,
    skillId: 'continue',
  });

const entity = (description: string, more: object = {}) =>
  workshop.call<{ id: string }>('entities:put', { projectId: 'novel', name: '林远', description, ...more });

describe('lines of a description', () => {
  it.each([
    ['第九章前保密：他是卧底。'],
    ['第九十七回前保密：他是卧底。'],
    ['From chapter 9: 他是卧底。'],
    ['Secret until chapter 9: 他是卧底。'],
    ['他是卧底（第九章前保密）'],
    ['第九章大概保密：他是卧底。'],
    ['Secret until part 2: 他是卧底。'],
  ])('never reach an early chapter: %s [W2]', async (line) => {
    await putChapters(2);
    await entity(`冷静的工程师。\n${line}`);
    const { prompt } = await assembled('c2');
    expect(prompt).toContain('冷静的工程师');
    expect(prompt).not.toContain('卧底');
  });

  it('hold in their chapters, and parts are found in the names of documents [W2]', async () => {
    await putChapters(4);
    await workshop.call('documents:put', {
      projectId: 'novel',
      documentId: 'c5',
      title: '第二卷 第5章',
      order: 5,
      text: '林远走进院子。',
    });
    await entity('冷静。\n第三章到第四章：住院。\n第二卷前保密：他是卧底。');
    expect((await assembled('c2')).prompt).not.toContain('住院');
    expect((await assembled('c3')).prompt).toContain('住院');
    expect((await assembled('c4')).prompt).not.toContain('卧底');
    expect((await assembled('c5')).prompt).toContain('卧底');
  });

  it('are named by entity and line when they cannot be read, never by their words [W2]', async () => {
    await putChapters(1);
    const { id } = await entity('冷静。\n第九章大概保密：他是卧底。');
    const { warnings } = await assembled('c1');
    const said = warnings.map(String).filter((warning) => warning.includes('FACT_NOT_UNDERSTOOD'));
    expect(said).toHaveLength(1);
    expect(said[0]).toContain(`line 2 of ${id}`);
    expect(said[0]).not.toContain('卧底');
  });

  it('of a card are named by the line of the file [W2]', async () => {
    await workshop.write(
      '.galley/characters/lin.md',
      '\n# 林远\n别名：阿远\n\n冷静。\n第九章大概保密：他是卧底。\n',
    );
    await workshop.write('01.md', '# 第一章\n林远来了。');
    const run = await workshop.dryRun({ skillId: 'dialogue', documentId: '01.md' });
    expect(run.systemPrompt).toContain('冷静');
    expect(run.systemPrompt).not.toContain('卧底');
    expect(run.warnings.join('\n')).toContain('line 6 of .galley/characters/lin.md');
  });

  it('of a card may speak of the volumes of its folder, and hide an alias [W2]', async () => {
    await workshop.write(
      '.galley/characters/lin.md',
      '# 林远\n冷静。\n第二卷前保密：他是卧底。\n## 第二卷前保密\n别名：影子\n',
    );
    await workshop.write('第一卷/01.md', '# 第一章\n林远来了。');
    await workshop.write('第二卷/02.md', '# 第二章\n林远来了。');
    const shown = async (documentId: string) =>
      (await workshop.dryRun({ skillId: 'dialogue', documentId })).systemPrompt;
    expect(await shown('第一卷/01.md')).not.toMatch(/卧底|影子/);
    expect(await shown('第二卷/02.md')).toMatch(/卧底[\s\S]*影子/);
  });
});

describe('a malformed row', () => {
  it.each([
    ['facts', '{oops'],
    ['aliases', '"林"'],
    ['secrets', '[{"text": 5}]'],
    ['relations', '[{"to": "沈砚"}]'],
  ])('costs itself and is named: %s [W8]', async (column, value) => {
    await putChapters(1);
    await entity('冷静的工程师。');
    const { id } = await entity('会飞的猫。', { name: '阿猫' });
    const path = join(workshop.folder, '..', 'galley.db');
    const raw = new Database(path);
    raw.prepare(`update entities set ${column} = ? where id = ?`).run(value, id);
    raw.close();
    const { prompt, warnings, receipt } = await assembled('c1');
    expect(prompt).toContain('冷静的工程师');
    expect(prompt).not.toContain('会飞的猫');
    expect(receipt.warnings).toContainEqual(
      expect.objectContaining({
        code: 'CONTEXT_LAYER_INVALID',
        details: { source: 'entities', item: 1, id },
      }),
    );
    expect(JSON.stringify(warnings)).not.toContain('KG_UNAVAILABLE');
    const { entities } = await workshop.call<{ entities: object[] }>('entities:list', { projectId: 'novel' });
    expect(entities).toContainEqual(expect.objectContaining({ id, damaged: [column] }));
  });
});

describe('one broken row among a hundred', () => {
  const hundred = Array.from({ length: 100 }, (_, index) => index);
  const spoil = (table: string, column: string, id: string) => {
    const raw = new Database(join(workshop.folder, '..', 'galley.db'));
    raw.prepare(`update ${table} set ${column} = ? where id = ?`).run(Buffer.from([0xff, 0x00]), id);
    raw.close();
  };
  const put = {
    entities: (index: number) =>
      entity(`第${index}号档案。`, { name: `人物${index}号`, inclusion: 'always' }),
    constraints: (index: number) =>
      workshop.call<{ id: string }>('constraints:create', {
        ...{ projectId: 'novel', text: `第${index}号档案。`, kind: 'plot' },
      }),
    memory: (index: number) =>
      workshop.call<{ id: string }>('memory:put', {
        ...{ projectId: 'novel', text: `第${index}号档案。`, kind: 'semantic', confidence: 0.5 },
      }),
  };

  it.each([
    ['entities', 'description'],
    ['constraints', 'text'],
    ['memory', 'text'],
  ] as const)('costs that row of %s alone, by name [W8]', async (table, column) => {
    await putChapters(1);
    const ids: string[] = [];
    for (const index of hundred) ids.push((await put[table](index)).id);
    spoil(table === 'memory' ? 'memories' : table, column, ids[41] ?? '');
    const { prompt, receipt } = await assembled('c1');
    const missing = hundred.filter((index) => !prompt.includes(`第${index}号档案。`));
    expect(missing).toEqual([41]);
    const named = receipt.warnings.filter(({ code }) => code === 'CONTEXT_LAYER_INVALID');
    expect(named).toEqual([expect.objectContaining({ details: expect.objectContaining({ id: ids[41] }) })]);
  });
});

describe('the judge', () => {
  const run = async (model: Model, skillId: string) =>
    (await call(
      'ai:skill:run',
      { projectId: 'novel', skillId, documentId: 'c1', model: 'writer', rewrites: 2 },
      { ...workshop.context, model: async () => model },
    )) as { text: string; drafts: number; findings: object[]; unchecked: string[] };
  const constraint = (text: string) =>
    workshop.call<{ id: string }>('constraints:create', { projectId: 'novel', text, kind: 'style' });
  const report =
    '{"findings": [{"quote": "“走！”", "conflict": "他不会大喊！", "ref": "", "reason": "矛盾！"}]}';

  it('never takes the report of a checking skill for prose, and says what it did not check [W1]', async () => {
    await putChapters(1);
    const { id } = await constraint('不要使用感叹号');
    const checker = scriptedModel([{ text: report }, { text: '{"findings": []}' }], 'test/w');
    const answer = await run(checker, 'consistency');
    expect(answer).toMatchObject({ text: report, drafts: 1, findings: [], unchecked: [id] });
    const writer = scriptedModel([{ text: '走！' }, { text: '走。' }], 'test/w');
    expect(await run(writer, 'polish')).toMatchObject({ text: '走。', drafts: 2, unchecked: [] });
  });

  it('goes by what a skill declares, not by its name [W1]', async () => {
    await putChapters(1);
    await constraint('不要使用感叹号');
    const source = (output: string) =>
      `---\nname: my-check\ndescription: 检查\n${output}prompt:\n  system: 检查。\n  user: "{{text}}"\n---\n`;
    await workshop.call('skills:put', { projectId: 'novel', source: source('output: report\n') });
    expect(await run(scriptedModel([{ text: report }], 'test/w'), 'my-check')).toMatchObject({ drafts: 1 });
    await workshop.call('skills:put', { projectId: 'novel', source: source('') });
    const again = scriptedModel([{ text: report }, { text: '好。' }], 'test/w');
    expect(await run(again, 'my-check')).toMatchObject({ drafts: 2 });
    const refused = workshop.call('skills:put', { projectId: 'novel', source: source('output: poem\n') });
    await expect(refused).rejects.toMatchObject({ code: 'INVALID_ARGUMENT' });
  });

  it('recognises a secret in other words, as its clauses, and reports it once [W4]', async () => {
    await putChapters(2);
    await entity('冷静。\n第九章前保密：他是卧底。');
    const judged = async (text: string) =>
      (
        await workshop.call<{ findings: { evidence: string }[] }>('constraints:judge', {
          projectId: 'novel',
          documentId: 'c1',
          text,
        })
      ).findings.map(({ evidence }) => evidence);
    expect(await judged('原来林远就是那个卧底！')).toEqual(['林远就是那个卧底']);
    expect(await judged('林远在查卧底的名单。')).toEqual([]);
  });

  it('takes a long secret, too', async () => {
    await putChapters(1);
    await entity(`冷静。\n第九章前保密：${'他在雪地里走了很久，'.repeat(20)}他是卧底。`);
    const judged = await workshop.call<{ findings: object[] }>('constraints:judge', {
      projectId: 'novel',
      documentId: 'c1',
      text: '林远是卧底。',
    });
    expect(judged.findings).toHaveLength(1);
  });

  it('does not take verse for narration, and reports a rule that is said twice once [W19]', async () => {
    const rule = { projectId: 'novel', text: '用第三人称叙述', kind: 'narrative' as const };
    await workshop.store.constraints.create('novel', rule);
    await workshop.store.constraints.create('novel', rule);
    const judged = async (text: string) =>
      (await workshop.call<{ findings: object[] }>('constraints:judge', { projectId: 'novel', text }))
        .findings;
    expect(await judged('乱烘烘你方唱罢我登场，反认他乡是故乡．')).toEqual([]);
    expect(await judged('道人念道：\n我本天边月，人间照几秋。\n')).toEqual([]);
    expect(await judged('> 我自横刀向天笑\n')).toEqual([]);
    expect(await judged('我推开门。')).toHaveLength(1);
  });
});

describe('adding what is there', () => {
  it('refuses the same constraint of the same kind, and names the one that is there [W19]', async () => {
    const rule = { projectId: 'novel', text: '没有魔法', kind: 'world' };
    const { id } = await workshop.call<{ id: string }>('constraints:create', rule);
    await expect(workshop.call('constraints:create', rule)).rejects.toMatchObject({
      code: 'ALREADY_EXISTS',
      details: { field: 'text', id },
    });
    await workshop.call('constraints:create', { ...rule, kind: 'style' });
  });

  it('changes the card of somebody, whoever the folder belongs to says so [W19]', async () => {
    await workshop.write('.galley/characters/lin.md', '# 林远\n\n冷静。\n\n<!-- 问编辑 -->\n');
    await claimFolder(workshop.store, 'novel', workshop.folder);
    expect(await entity('热情。')).toMatchObject({ id: '.galley/characters/lin.md', description: '热情。' });
    const card = await readFile(join(workshop.folder, '.galley/characters/lin.md'), 'utf8');
    expect(card).toContain('热情。');
    expect(card).not.toContain('冷静');
    await entity('会飞的猫。', { name: '阿猫' });
    expect(await entity('不会飞的猫。', { name: '阿猫' })).toMatchObject({ version: 2 });
  });

  it('reads a rule that a list or a list and the store say twice once [W19]', async () => {
    await workshop.write('.galley/constraints.md', '## 世界观\n- 没有魔法\n- 没有魔法\n');
    await workshop.write('01.md', '# 第一章\n林远来了。');
    await workshop.store.constraints.create('novel', { text: '没有魔法', kind: 'world' });
    const { systemPrompt } = await workshop.dryRun({ skillId: 'polish', documentId: '01.md' });
    expect(systemPrompt.split('没有魔法')).toHaveLength(2);
  });
});
