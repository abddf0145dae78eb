// What a skill gets, and that it is one text wherever it is shown and when it is sent.
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Receipt } from '../../src/core/model/receipt.js';
import { verifyReceipt } from '../../src/core/seal/seal.js';
import { hashText } from '../../src/meters/content-hash.js';
import type { Model } from '../../src/models/contract/model.js';
import { call } from '../../src/operations/call.js';
import { builtInSkills } from '../../src/skills/built-in/built-in-skills.js';
import { contextRuleFields } from '../../src/skills/skill.js';
import { scriptedModel } from '../../src/testing/scripted-model.js';
import type { ContextAssembleResult } from '../../src/writing/context/context-result.js';
import type { AssembledSkill } from '../../src/writing/skill-run/assemble-skill.js';
import { openWorkshop, type Workshop } from './workshop.js';

const projectId = 'novel';
const documentId = 'three';
const people = ['林远', '沈砚', '许澄'];

let workshop: Workshop;
beforeEach(async () => {
  workshop = await openWorkshop();
  const { store } = workshop;
  const chapters = [
    ['one', '第一章', '林远把青铜铃铛埋在枯井旁边的第七块砖下，没有告诉任何人。\n\n雨一直下到天亮。'],
    ['two', '第二章', '沈砚在码头等了一夜。\n\n最后一班船开走以前，他把信撕成了四片。'],
    ['three', '第三章', '林远又站在枯井旁边，想起那只青铜铃铛。沈砚没有来。许澄提着灯。'],
  ] as const;
  for (const [index, [id, title, text]] of chapters.entries())
    await workshop.call('documents:put', { projectId, documentId: id, title, order: index + 1, text });
  for (const name of people)
    await store.entities.put(projectId, {
      name,
      description: `${name}的来历`,
      relations: [{ to: '林远', label: `${name}关系` }],
    });
  await store.constraints.create(projectId, { kind: 'style', text: '不得使用感叹号' });
  await store.memory.put(projectId, { id: 'm', kind: 'semantic', text: '偏好标记' });
  await store.settings.put(projectId, 'style_guide', '风格标记');
  await store.settings.put(projectId, 'outline', '大纲标记');
  await store.summaries.add(projectId, { id: 's', text: '摘要标记', documentId });
});
afterEach(() => workshop.close());

const skill = (matter: string, rules: readonly string[], name = 'mine') =>
  workshop.call('skills:put', {
    source: `---\nname: ${name}\ndescription: 测试\n${matter}\ncontext_rules:\n${['  surrounding: 0', ...rules].slice(rules.some((rule) => rule.includes('surrounding')) ? 1 : 0).join('\n')}\nprompt:\n  system: 按要求做。\n  user: "{{text}}"\n---\n`,
  });

const textsOf = ({ systemPrompt, userContent }: AssembledSkill) => `${systemPrompt}\n\n${userContent}`;

/** Headings and what stands below each, without the marks of fences. */
function sectionsOf(run: AssembledSkill): Map<string, string> {
  const parts = textsOf(run)
    .replace(/^=== 书稿 [0-9a-f]{8}(?: 完)? ===$/gm, '')
    .split(/^(?=\[[^\]\n]+\]$)/m);
  return new Map(
    parts.filter((part) => part.trim() !== '').map((part) => [part.split('\n')[0] ?? '', part.trim()]),
  );
}

const run = (model: Model, request: object = {}) =>
  call(
    'ai:skill:run',
    { projectId, documentId, skillId: 'continue', model: 'writer', ...request },
    { ...workshop.context, model: async () => model },
  ) as Promise<{
    receipt: Receipt;
    runs: { kind: string; receipt: string }[];
    text: string;
    pieces?: object[];
    runId: string;
  }>;

describe('one prompt', () => {
  it('is shown by an assembly, an inspection and a dry run, and sent by a run, byte for byte under one receipt [skill.context]', async () => {
    const context = { ...workshop.context, debug: true };
    for (const { id } of builtInSkills()) {
      const writer = scriptedModel(['雨歇了。'], 'test/w');
      const place = { projectId, documentId, skillId: id, selection: { start: 0, end: 8 }, model: 'test/w' };
      const shown = await workshop.dryRun(place);
      const request = { ...place, cursorPosition: 8, format: 'chapters' };
      const assembled = await workshop.call<ContextAssembleResult>('context:assemble', request);
      const inspected = (await call('context:inspect', request, context)) as ContextAssembleResult;
      await run(writer, place);
      const [sent] = writer.requests;
      expect(sent).toMatchObject({ system: shown.systemPrompt, prompt: shown.userContent });
      for (const seen of [assembled, inspected]) {
        expect([seen.system, seen.prompt]).toEqual([shown.systemPrompt, shown.userContent]);
        expect(seen.receipt.id).toBe(shown.receipt.id);
      }
      const hashes = shown.receipt.pages[0]?.parts.map(({ hash }) => hash);
      expect(hashes).toEqual([hashText(shown.systemPrompt), hashText(shown.userContent)]);
      expect(verifyReceipt(shown.receipt, hashText)).toBe('sealed');
    }
  });

  it('holds what context:assemble finds for the same place [skill.context]', async () => {
    const found = await workshop.call<ContextAssembleResult>('context:assemble', {
      ...{ projectId, documentId, skillId: 'continue', cursorPosition: 999 },
    });
    expect(found.prompt).toContain('第七块砖下');
    expect(textsOf(await workshop.dryRun({ documentId, skillId: 'continue' }))).toContain('第七块砖下');
  });

  it('is the same for a renamed copy of a built-in skill [skill.context]', async () => {
    for (const { id, name } of builtInSkills()) {
      const { zhSources } = await import('../../src/skills/built-in/zh.js');
      const source = zhSources[id as keyof typeof zhSources].replace(/^name: .*$/m, 'name: my-copy');
      await workshop.call('skills:put', { projectId, source });
      const own = await workshop.dryRun({ documentId, skillId: id });
      const copy = await workshop.dryRun({ documentId, skillId: 'my-copy' });
      expect(textsOf(copy).replaceAll('my-copy', name)).toBe(textsOf(own));
    }
  });
});

describe('a field of the context rules', () => {
  it('opens its own section and nothing else, whatever the others say [skill.context]', async () => {
    const values: Readonly<Record<string, string>> = { surrounding: '5', recent_summary: '2' };
    const sections: Readonly<Record<string, string>> = {
      surrounding: '[前后文 - 第三章]',
      user_preferences: '[用户偏好]',
      style_guide: '[风格指南]',
      characters: '[人物设定]',
      outline: '[大纲]',
      recent_summary: '[近期摘要]',
      knowledge_graph: '[相关设定]',
    };
    for (const others of [false, true])
      for (const field of contextRuleFields) {
        const rest = others ? contextRuleFields.filter((each) => each !== field) : [];
        const lines = (fields: readonly string[]) =>
          fields.map((each) => `  ${each}: ${values[each] ?? 'true'}`);
        const shown = async (fields: readonly string[]) => {
          await skill('budget_tokens: 60000', lines(fields));
          const request = { skillId: 'mine', documentId, selection: { start: 0, end: 12 }, layout: 'exact' };
          return sectionsOf(await workshop.dryRun(request));
        };
        const [without, withField] = [await shown(rest), await shown([...rest, field])];
        const changed = [...new Set([...without.keys(), ...withField.keys()])].filter(
          (heading) => without.get(heading) !== withField.get(heading),
        );
        expect([field, others, changed]).toEqual([field, others, [sections[field]]]);
        expect(without.has(sections[field] ?? '')).toBe(false);
      }
  });

  it('is not needed for what a recipe brings, and the default recipe brings nothing [skill.context]', async () => {
    const shown = async (matter: string) => {
      await skill(matter, []);
      return sectionsOf(await workshop.dryRun({ skillId: 'mine', documentId, layout: 'exact' }));
    };
    const plain = await shown('recipe: rewrite');
    expect([...plain.keys()]).toEqual(['[身份与输出要求]', '[创作约束 - 不可违反]', '[当前任务 - mine]']);
    expect([...(await shown('recipe: continue')).keys()]).toContain('[前文参考]');
    const checks = await shown('recipe: check');
    expect(checks.get('[前文参考]')).toContain('第七块砖下');
    expect(checks.get('[相关设定]')).toContain('沈砚的来历');
  });
});

describe('a skill that aims at a figure', () => {
  it('stops optional text there and lets what must be there exceed it [skill.context]', async () => {
    for (let n = 0; n < 30; n += 1)
      await workshop.call('documents:put', {
        projectId,
        documentId: `old-${n}`,
        order: -n,
        text: `青铜铃铛的传说之${n}。`.repeat(20),
      });
    const rules = ['  characters: true', '  surrounding: 100'];
    await skill('recipe: continue\nbudget_tokens: 1200', rules);
    const aimed = await workshop.dryRun({ skillId: 'mine', documentId });
    expect(aimed.tokens).toBeLessThanOrEqual(1200);
    expect(aimed.layers.retrieved.chunks).toBeGreaterThan(0);
    await skill('recipe: continue\nbudget_tokens: 100', rules);
    const beyond = await workshop.dryRun({ skillId: 'mine', documentId });
    expect(beyond.tokens).toBeGreaterThan(100);
    expect(beyond.layers.retrieved.chunks).toBe(0);
    for (const name of people) expect(textsOf(beyond)).toContain(`${name}的来历`);
    expect(beyond.receipt.ledger.filter(({ verdict }) => verdict === 'over-limit').length).toBeGreaterThan(0);
  });

  it('keeps 20 rules and everyone in the scene, in every built-in skill and with every tokenizer [rules.kept] [W11]', async () => {
    for (let n = 0; n < 19; n += 1)
      await workshop.store.constraints.create(projectId, {
        kind: 'plot',
        text: `第${n}条规矩：${'不许提起那年冬天的事，'.repeat(3)}`,
      });
    for (let n = 0; n < 12; n += 1)
      await workshop.store.entities.put(projectId, {
        name: `甲乙${n}`,
        description: '一个说来话长的人，身世复杂。'.repeat(8),
      });
    for (const { id, contextRules } of builtInSkills())
      for (const model of ['gpt-4o', 'claude-sonnet-4-5', 'deepseek/deepseek-chat']) {
        const shown = await workshop.dryRun({ skillId: id, documentId, model });
        for (let n = 0; n < 19; n += 1) expect(shown.systemPrompt).toContain(`第${n}条规矩`);
        expect(shown.systemPrompt).toContain('20. ');
        if (contextRules.characters)
          for (const name of people) expect(textsOf(shown)).toContain(`${name}的来历`);
      }
  });

  it('works on a whole chapter, in pieces where the answer would be too long, each its own sealed call [W10]', async () => {
    const paragraph = '林远沿着石阶走下去，数到第七级时停住，听见水声。许澄说不要再往前了。';
    const text = Array.from({ length: 400 }, (_, n) => `第${n}段。${paragraph}`).join('\n\n');
    const shown = (await workshop.dryRun({
      skillId: 'polish',
      documentId,
      text,
      model: 'test/w',
    })) as AssembledSkill & {
      pieces?: { start: number; end: number; userContent: string; receipt: Receipt }[];
    };
    const pieces = shown.pieces ?? [];
    expect(pieces.length).toBeGreaterThan(1);
    const points = [...text];
    expect(pieces.map(({ start, end }) => points.slice(start, end).join('')).join('')).toBe(text);
    for (const { start, end, userContent, receipt } of pieces) {
      expect(userContent).toContain(points.slice(start, end).join('').trimEnd());
      expect(verifyReceipt(receipt, hashText)).toBe('sealed');
      expect(points.slice(end - 2, end).join('') === '\n\n' || end === points.length).toBe(true);
    }
    const writer = scriptedModel(
      pieces.map((_, n) => `改好的第${n}篇。`),
      'test/w',
    );
    const written = await run(writer, { skillId: 'polish', text });
    expect(written.text).toBe(pieces.map((_, n) => `改好的第${n}篇。`).join('\n\n'));
    expect(written.runs.map(({ receipt }) => receipt)).toEqual(pieces.map(({ receipt }) => receipt.id));
  });
});

describe('a draft that breaks a constraint', () => {
  it('is written again under a receipt of its own that names the one before; nothing sealed is touched [skill.context]', async () => {
    const writer = scriptedModel(['雨停了！', '雨停了。'], 'test/w');
    const written = await run(writer, {});
    const [first, second] = written.runs;
    expect(written.runs.map(({ kind }) => kind)).toEqual(['skill', 'skill-again']);
    expect(written.receipt.id).toBe(second?.receipt);
    expect(written.receipt.previous).toBe(first?.receipt);
    expect(verifyReceipt(written.receipt, hashText)).toBe('sealed');
    expect(written.receipt.used.n).toBeLessThanOrEqual(written.receipt.budget.n);
    const before = writer.requests[0]?.prompt ?? '';
    expect(writer.requests[1]?.prompt.startsWith(before)).toBe(true);
    for (const { receipt } of written.runs) {
      const stored = await workshop.call<{ value: Receipt }>('receipts:get', { projectId, id: receipt });
      expect(verifyReceipt(stored.value, hashText)).toBe('sealed');
    }
    const kept = await workshop.store.runs.get(projectId, written.runId);
    expect(kept.metadata.runs).toEqual(written.runs);
  });

  it('is set anew within the same budget where nothing can be added', async () => {
    const text = `${'窗外下着雨。'.repeat(80)}林远来了。`;
    const dry = await workshop.dryRun({ skillId: 'continue', documentId, text });
    const budget = { tokens: dry.tokens };
    const writer = scriptedModel(['雨停了！', '雨停了。'], 'test/w');
    const written = await run(writer, { text, budget });
    expect(written.text).toBe('雨停了。');
    expect(written.receipt.previous).toBe(written.runs[0]?.receipt);
    expect(written.receipt.used.n).toBeLessThanOrEqual(budget.tokens);
  });

  it('is no draft when the skill reports: a report is not judged as prose [W1]', async () => {
    const report = '{"findings":[{"quote":"！"}]}';
    const written = await run(scriptedModel([report]), { skillId: 'consistency' });
    expect(written.text).toBe(report);
    expect(written.runs).toHaveLength(1);
  });
});

describe('a new chapter', () => {
  it('gets the end of the one before, the rules and the people it names [W12]', async () => {
    await workshop.call('documents:put', {
      projectId,
      documentId: 'four',
      title: '第四章',
      order: 4,
      text: '',
    });
    const shown = await workshop.dryRun({ skillId: 'continue', documentId: 'four' });
    expect(shown.userContent).toContain('[上一章结尾]');
    expect(shown.userContent).toContain('许澄提着灯。');
    const unstored = await workshop.dryRun({
      skillId: 'continue',
      documentId: 'five',
      text: '# 第四章 夜\n\n',
    });
    expect(unstored.userContent).toContain('许澄提着灯。');
    const polish = await workshop.dryRun({ skillId: 'polish', documentId: 'four' });
    expect(textsOf(polish)).not.toContain('许澄提着灯');
  });
});
