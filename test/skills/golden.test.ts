// Every built-in skill on the sample novel, byte for byte. GALLEY_GOLDEN=write writes the files anew.
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { loadMeter } from '../../src/meters/load-meter.js';
import { builtInSkills } from '../../src/skills/built-in/built-in-skills.js';
import { followFolder } from '../../src/writing/folder/follow-folder.js';
import { openWorkshop, type Workshop } from './workshop.js';

const novel = join(process.cwd(), 'examples', 'novel');
const golden = join(process.cwd(), 'test', 'golden', 'skills');
const documentId = 'chapters/06-the-wall.md';

let workshop: Workshop;
let selection: { start: number; end: number };

beforeAll(async () => {
  workshop = await openWorkshop({ folder: novel });
  const { store } = workshop;
  await followFolder(store, 'novel', novel);
  // With one other chapter all its passages fit, so the files do not depend on how passages are ranked.
  for (const { id } of await store.documents.list('novel'))
    if (id !== documentId && !id.startsWith('chapters/05')) await store.documents.delete('novel', id);
  await store.memory.put('novel', { id: 'm1', kind: 'semantic', text: '动作场景偏好短句', confidence: 0.9 });
  await store.memory.put('novel', { id: 'm2', kind: 'episodic', text: '上次把第三章的铁盒写得太长' });
  for (const [id, text] of [
    ['s1', '第四章续写：林远与许澄用滴水核对时间，差二十九分钟。'],
    ['s2', '第五章润色：沈砚的录像改得更短。'],
    ['s3', '第六章续写：检修板拆开，沈砚坐在氧气箱上。'],
    ['s4', '第六章润色：水壶一段放慢。'],
  ] as const) {
    await store.summaries.add('novel', { id, text, documentId });
  }
  const { text } = await store.documents.get('novel', documentId);
  const start = [...text.slice(0, text.indexOf('我想问他很多事'))].length;
  selection = { start, end: start + [...'我想问他很多事，问他为什么不早一点'].length };
});

afterAll(() => workshop.close());

describe('built-in skills on the sample novel', () => {
  for (const { id } of builtInSkills()) {
    it(`sets ${id} as its golden file says, at what it aims at or at what it must have [skill.matrix] [skill.stable]`, async () => {
      const request = {
        skillId: id,
        documentId,
        ...(id === 'continue' || id === 'dialogue' ? { cursorPosition: selection.start } : { selection }),
      };
      const { systemPrompt, userContent, tokens, budget, receipt } = await workshop.dryRun(request);
      const text = `=== system ===\n${systemPrompt}\n=== user ===\n${userContent}\n`;
      const path = join(golden, `${id}.txt`);
      if (process.env.GALLEY_GOLDEN === 'write') {
        await mkdir(golden, { recursive: true });
        await writeFile(path, text);
      }
      expect(text).toBe(await readFile(path, 'utf8'));
      const aim = builtInSkills().find((skill) => skill.id === id)?.budgetTokens ?? 0;
      const optional = receipt.ledger.filter(({ section }) => section === 'retrieved' || section === 'story');
      // Above its figure no optional text stands in it.
      if (tokens > aim) expect(optional.every(({ verdict }) => verdict === 'over-limit')).toBe(true);
      const meter = await loadMeter('o200k_base');
      expect(meter.weigh(systemPrompt) + meter.weigh(userContent)).toBeLessThanOrEqual(budget);
      expect(tokens).toBeLessThanOrEqual(budget);
    });
  }

  it('keeps the system text byte for byte while cursor and selection move [skill.stable]', async () => {
    const at = (start: number) =>
      workshop.dryRun({ skillId: 'polish', documentId, selection: { start, end: start + 20 } });
    const [here, there] = [await at(10), await at(400)];
    expect(there.systemPrompt).toBe(here.systemPrompt);
    expect(there.stablePrefixHash).toBe(here.stablePrefixHash);
    expect(there.userContent).not.toBe(here.userContent);
  });

  it('changes the system text when a preference is confirmed [skill.stable]', async () => {
    const run = () => workshop.dryRun({ skillId: 'polish', documentId, selection });
    const before = await run();
    await workshop.store.memory.put('novel', { id: 'm3', kind: 'semantic', text: '少用成语' });
    const after = await run();
    await workshop.store.memory.delete('novel', 'm3');
    expect(after.stablePrefixHash).not.toBe(before.stablePrefixHash);
    expect((await run()).systemPrompt).toBe(before.systemPrompt);
  });

  it('puts the chapters in their order, stable ones in the system text [skill.chapters]', async () => {
    await workshop.call('skills:put', {
      projectId: 'novel',
      source: `---\nname: all\ndescription: 全部\nbudget_tokens: 20000\ncontext_rules:\n  surrounding: 300\n  user_preferences: true\n  style_guide: true\n  characters: true\n  outline: true\n  recent_summary: 2\n  knowledge_graph: true\n---\n按全部材料改写。\n`,
    });
    const run = await workshop.dryRun({
      skillId: 'all',
      documentId,
      selection,
      additionalInput: '写得慢一点',
    });
    const headings = (text: string) => [...text.matchAll(/^\[(.+?)(?: - .*)?\]$/gm)].map(([, name]) => name);
    expect(headings(run.systemPrompt)).toEqual([
      '身份与输出要求',
      '创作约束',
      '用户偏好',
      '风格指南',
      '大纲',
      '人物设定',
      '当前任务',
    ]);
    expect(headings(run.userContent)).toEqual(['相关设定', '近期摘要', '前后文', '当前任务']);
    const layerOf = (section: string) =>
      new Set(run.receipt.ledger.filter((line) => line.section === section).map(({ layer }) => layer));
    for (const section of ['identity', 'constraints', 'relevant-entities'])
      expect(layerOf(section)).toEqual(new Set(['rules']));
    // Who is in the scene is Rules; others give way on their own.
    expect(layerOf('entities')).toEqual(new Set(['rules', 'people']));
    for (const section of ['preferences', 'style-guide', 'outline'])
      expect(layerOf(section)).toEqual(new Set(['settings']));
    expect(layerOf('summaries')).toEqual(new Set(['retrieved']));
    for (const section of ['text', 'skill', 'task']) expect(layerOf(section)).toEqual(new Set(['immediate']));
    // What the skill says each time is kept by a provider; what is asked now stands last.
    expect(run.systemPrompt.endsWith('[当前任务 - all]\n按全部材料改写。')).toBe(true);
    expect(run.userContent.endsWith('补充要求：写得慢一点')).toBe(true);
  });

  it('says last what a skill words anew each time [skill.chapters] [skill.stable]', async () => {
    await workshop.call('skills:put', {
      projectId: 'novel',
      source:
        '---\nname: own\ndescription: 自己的话\nprompt:\n  system: 改写“{{text}}”。\n  user: 只要一句。\n---\n',
    });
    const run = await workshop.dryRun({ skillId: 'own', documentId, selection });
    expect(run.systemPrompt).not.toContain('当前任务 -');
    const [, task] = run.userContent.split('[当前任务 - own]\n');
    expect(task).toMatch(/^改写“[\s\S]*我想问他很多事[\s\S]*”。\n\n只要一句。$/u);
  });
});
