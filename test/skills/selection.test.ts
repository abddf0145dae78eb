import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openWorkshop, skillFile, type Workshop } from './workshop.js';

let workshop: Workshop;
beforeEach(async () => {
  workshop = await openWorkshop();
  const { store } = workshop;
  await workshop.write('.galley/style-guide.md', '风格标记：短句。\n');
  await workshop.write(
    '.galley/outline.md',
    '# 大纲\n\n## 第一章 开端\n大纲标记一\n\n## 第二章 转折\n大纲标记二\n\n## 第三章 尾声\n大纲标记三\n',
  );
  await workshop.write('.galley/preferences.md', '偏好标记：少用比喻。\n');
  await workshop.write('.galley/characters/lin.md', '# 林远\n人物标记：冷静。\n关系：沈砚（图谱标记）\n');
  await store.entities.put('novel', { name: '沈砚', description: '人物记录标记' });
  await store.memory.put('novel', { id: 'm1', kind: 'semantic', text: '记忆标记' });
  await store.memory.put('novel', { id: 'm2', kind: 'working', text: '工作标记' });
  await store.memory.learn('novel', { id: 'm3', kind: 'semantic', text: '未确认标记' });
  await store.constraints.create('novel', { id: 'c1', kind: 'world', text: '约束标记' });
  for (const n of [1, 2, 3])
    await store.summaries.add('novel', { id: `s${n}`, text: `摘要标记${n}`, documentId: 'd' });
  await store.documents.put('novel', { id: 'other', text: '别章标记，林远在别处。'.repeat(20) });
  await store.constraints.create('foreign', { kind: 'world', text: '外人标记' });
  await store.skills.put({
    id: 'foreign',
    name: 'f',
    description: '',
    source: skillFile('  surrounding: 1'),
    contextRules: '{}',
    projectId: 'foreign',
  });
});
afterEach(() => workshop.close());

const text = `# 第二章 转折\n\n${'前'.repeat(60)}林远走进门。${'后'.repeat(60)}`;
const at = [...text].indexOf('林');
const selection = { start: at, end: at + 6 };

const marks: Readonly<Record<string, readonly string[]>> = {
  user_preferences: ['偏好标记', '记忆标记'],
  style_guide: ['风格标记'],
  characters: ['人物标记', '人物记录标记'],
  outline: ['大纲标记二', '大纲标记三'],
  recent_summary: ['摘要标记2', '摘要标记3'],
  knowledge_graph: ['图谱标记'],
};
const everyMark = [...new Set(Object.values(marks).flat()), '大纲标记一', '摘要标记1'];
const never = ['工作标记', '未确认标记', '外人标记', '别章标记'];

describe('what a skill gets', () => {
  for (const field of Object.keys(marks)) {
    it(`is exactly what ${field} asks for, and the constraints [skill.select]`, async () => {
      const value = field === 'recent_summary' ? '2' : 'true';
      await workshop.call('skills:put', { source: skillFile(`  ${field}: ${value}`) });
      const run = await workshop.dryRun({ skillId: 'my-skill', documentId: 'd', text, selection });
      const all = run.systemPrompt + run.userContent;
      const wanted = new Set([...(marks[field] ?? [])]);
      for (const mark of everyMark) expect([mark, all.includes(mark)]).toEqual([mark, wanted.has(mark)]);
      for (const mark of never) expect(all).not.toContain(mark);
      expect(run.systemPrompt).toContain('[创作约束 - 不可违反]\n1. 约束标记\n');
      expect(run.userContent).toContain('林远走进门。');
      expect(all).not.toContain('前'.repeat(2));
    });
  }

  it('has N code points on each side of the selection, and the selection once [skill.select]', async () => {
    await workshop.call('skills:put', { source: skillFile('  surrounding: 7') });
    const wide = `${'😀'.repeat(30)}中间${'𠮷'.repeat(30)}`;
    const run = await workshop.dryRun({
      skillId: 'my-skill',
      documentId: 'd',
      text: wide,
      selection: { start: 30, end: 32 },
    });
    expect(run.userContent.match(/😀/gu)).toHaveLength(7);
    expect(run.userContent.match(/𠮷/gu)).toHaveLength(7);
    expect(run.userContent.match(/中间/gu)).toHaveLength(1);
  });

  it('names where every piece is from, in the text and in the receipt, never absolutely [skill.refs]', async () => {
    await workshop.call('skills:put', {
      source: skillFile(
        '  style_guide: true\n  user_preferences: true\n  characters: true\n  outline: true\n  recent_summary: 1\n  surrounding: 5',
      ),
    });
    const run = await workshop.dryRun({ skillId: 'my-skill', documentId: 'd', text, selection });
    const all = run.systemPrompt + run.userContent;
    for (const ref of [
      'ref:.galley/style-guide.md',
      'ref:.galley/preferences.md',
      'ref:.galley/outline.md#L6-L10',
      'ref:.galley/characters/lin.md',
      'ref:entities/沈砚',
      'ref:memory/m1',
      'ref:summaries/s3',
      'ref:d#L3-L3',
    ]) {
      expect(all).toContain(ref);
      expect(run.refs).toContain(ref);
    }
    expect(run.refs).toContain('ref:constraints/c1');
    expect(JSON.stringify(run)).not.toContain(workshop.folder);
    const unnamed = run.receipt.ledger.filter(
      ({ ref, source }) => ref === undefined && !['galley', 'skill'].includes(source),
    );
    expect(unnamed.map(({ fragment }) => fragment)).toEqual(['constraints:origins']);
  });

  it('reads .writenow where .galley has no such file [skill.refs]', async () => {
    await workshop.write('.writenow/style-guide.md', '旧风格\n');
    await workshop.write('.writenow/characters/zhangsan.md', '# 张三\n旧人物\n');
    await workshop.call('skills:put', { source: skillFile('  style_guide: true\n  characters: true') });
    const { systemPrompt } = await workshop.dryRun({ skillId: 'my-skill', documentId: 'd', text, selection });
    expect(systemPrompt).toContain('ref:.galley/style-guide.md');
    expect(systemPrompt).not.toContain('旧风格');
    expect(systemPrompt).toContain('ref:.writenow/characters/zhangsan.md');
  });

  it('says what it saved against injecting everything [skill.saving]', async () => {
    const { saving, tokens } = await workshop.dryRun({ skillId: 'polish', documentId: 'd', text, selection });
    expect(saving.used).toBe(tokens);
    expect(saving.everything).toBeGreaterThan(tokens);
    expect(saving.tokens).toBe(saving.everything - saving.used);
    const larger = await workshop.dryRun({
      skillId: 'polish',
      documentId: 'd',
      text: text + '后。'.repeat(400),
      selection,
    });
    expect(larger.saving.tokens).toBeGreaterThan(saving.tokens + 300);
  });
});

describe('the budget of a skill', () => {
  it('makes summaries, settings and far text give way in turn; the text itself stays [skill.matrix]', async () => {
    const long = '窗外下着雨。'.repeat(200);
    const run = await workshop.dryRun({
      skillId: 'polish',
      documentId: 'd',
      text: `${long}要改的这一句。${long}`,
      selection: { start: 1200, end: 1207 },
      budget: { tokens: 900 },
    });
    expect(run.tokens).toBeLessThanOrEqual(900);
    expect(run.userContent).toContain('要改的这一句。');
    expect(run.systemPrompt).toContain('约束标记');
    expect(run.receipt.concessions.made).toBeGreaterThan(0);
    const gone = run.receipt.ledger.filter(({ verdict }) => verdict === 'conceded').map(({ layer }) => layer);
    expect(gone).toContain('settings');
    expect(run.warnings.some((warning) => warning.startsWith('LAYER_TRIMMED'))).toBe(true);
  });

  it('aims at its figure and exceeds it for what must be there; a wall refuses and says what does not fit [skill.context]', async () => {
    const request = { skillId: 'polish', documentId: 'd', text: '一段很长的话。'.repeat(600) };
    const run = await workshop.dryRun(request);
    expect(run.tokens).toBeGreaterThan(1500);
    expect(run.userContent).toContain(request.text);
    const refusal = workshop.dryRun({ ...request, budget: { tokens: 300 } });
    await expect(refusal).rejects.toMatchObject({
      code: 'CONTEXT_BUDGET_INFEASIBLE',
      message: expect.stringMatching(/Select less text/s),
      details: { limit: 300, parts: expect.arrayContaining([expect.stringMatching(/^task \d+$/)]) },
    });
    const huge = workshop.dryRun({ skillId: 'polish', documentId: 'd', text: '字'.repeat(90_000) });
    await expect(huge).rejects.toMatchObject({ code: 'CONTEXT_INPUT_TOO_LARGE' });
  });

  it('keeps the characters that the text names when there are too many [rules.kept]', async () => {
    for (let n = 0; n < 100; n += 1)
      await workshop.store.entities.put('novel', {
        name: `路人${n}`,
        description: '一个说来话长的人，身世复杂。'.repeat(3),
      });
    const run = await workshop.dryRun({ skillId: 'dialogue', documentId: 'd', text: `${text}路人42来了。` });
    expect(run.tokens).toBeLessThanOrEqual(2500);
    // Chosen by the scene, so behind what lasts.
    expect(run.userContent).toContain('路人42');
    expect(run.systemPrompt + run.userContent).not.toContain('路人77');
    expect(run.systemPrompt).toContain('约束标记');
  });
});

describe('ai:skill:run', () => {
  it('refuses without a model and names the next step [skill.run]', async () => {
    const request = { projectId: 'novel', skillId: 'polish', documentId: 'd', text };
    await expect(workshop.call('ai:skill:run', request)).rejects.toMatchObject({
      code: 'MODEL_NOT_CONFIGURED',
      message: expect.stringContaining('GALLEY_MODEL'),
    });
  });

  it('keeps hashes, refs, tokens and timings of a dry run and no text [skill.run]', async () => {
    const {
      runId = '',
      tokens,
      receipt,
    } = await workshop.dryRun({ skillId: 'polish', documentId: 'd', text, selection });
    const run = await workshop.store.runs.get('novel', runId);
    expect(run).toMatchObject({
      operation: 'ai:skill:run',
      status: 'succeeded',
      skillId: 'polish',
      documentId: 'd',
    });
    expect(run.metadata).toMatchObject({ dryRun: true, tokens, receipt: receipt.id });
    const kept = JSON.stringify(run) + JSON.stringify(receipt);
    for (const word of [...everyMark, '约束标记', '林远走进门']) expect(kept).not.toContain(word);
  });

  it('stores its receipt where receipts are listed, and reads no hidden file as a document [logs.digest]', async () => {
    const { receipt } = await workshop.dryRun({ skillId: 'polish', documentId: 'd', text, selection });
    expect((await workshop.store.receipts.get('novel', receipt.id)).operation).toBe('ai:skill:run');
    await workshop.write('.galley/notes.md', '藏起来的话。');
    const run = await workshop.dryRun({ skillId: 'polish', documentId: '.galley/notes.md' });
    expect(run.userContent).not.toContain('藏起来的话');
  });

  it('does not see the skills of another project', async () => {
    await expect(workshop.dryRun({ skillId: 'foreign', documentId: 'd', text })).rejects.toMatchObject({
      code: 'NOT_FOUND',
    });
  });

  it('stops when the caller stops', async () => {
    const controller = new AbortController();
    controller.abort();
    const { call } = await import('../../src/operations/call.js');
    const context = { ...workshop.context, signal: controller.signal };
    const request = { projectId: 'novel', skillId: 'polish', documentId: 'd', text, dryRun: true };
    await expect(call('ai:skill:run', request, context)).rejects.toMatchObject({ code: 'CANCELLED' });
  });
});
