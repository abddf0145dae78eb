// What the layers read: entities with their facts, secrets and relations; memory; retrieval; receipts.
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type Desk, openDesk, project, unfenced } from './desk.js';
import { prose } from './prose.js';

let desk: Desk;
beforeEach(async () => {
  desk = await openDesk();
});
afterEach(() => desk.close());

const know = (name: string, more: object = {}) =>
  desk.call<{ id: string }>('entities:put', {
    projectId: project,
    name,
    description: `${name}的描述`,
    ...more,
  });
const write = (documentId: string, text: string, order: number) =>
  desk.call('documents:put', { projectId: project, documentId, text, order });
const promptFor = async (request: object) => (await desk.assemble(request)).prompt;

describe('entities', () => {
  it('come in by their inclusion: always, when named, when asked for, never [layers.data]', async () => {
    await know('甲一');
    await know('乙二', { inclusion: 'detected', aliases: ['小乙'] });
    await know('丙三', { inclusion: 'manual' });
    await know('丁四', { inclusion: 'never' });
    const cards = async (request: object) => {
      const prompt = await promptFor({ skillId: '', ...request });
      return ['甲一', '乙二', '丙三', '丁四'].filter((name) => prompt.includes(`${name}的描述`));
    };
    expect(await cards({ text: '夜。' })).toEqual(['甲一']);
    expect(await cards({ text: '小乙和丁四来了。' })).toEqual(['甲一', '乙二']);
    expect(await cards({ text: '夜。', additionalInput: '让乙二出场' })).toEqual(['甲一', '乙二']);
    expect(await cards({ text: '夜。', entities: ['丙三', '丁四'] })).toEqual(['甲一', '丙三']);
  });

  it('say what holds in this chapter and keep their secrets until theirs [layers.data]', async () => {
    await know('林远', {
      facts: [
        { text: '左手有旧伤', from: 3 },
        { text: '还没有学会飞', until: 4 },
      ],
      secrets: [{ text: '其实是沈青的弟弟', hiddenUntil: 5 }],
    });
    for (const order of [1, 4, 5]) await write(`第${order}章`, '林远来了。', order);
    const told = async (documentId: string) => {
      const prompt = await promptFor({ documentId });
      return ['左手有旧伤', '还没有学会飞', '其实是沈青的弟弟'].map((fact) => prompt.includes(fact));
    };
    expect(await told('第1章')).toEqual([false, true, false]);
    expect(await told('第4章')).toEqual([true, true, false]);
    expect(await told('第5章')).toEqual([true, false, true]);
    expect(await told('没有的章')).toEqual([false, false, false]);
  });

  it('bring relations one step deep, only for those who are named [layers.data]', async () => {
    await know('林远', { relations: [{ to: '沈青', label: '旧友' }] });
    await know('沈青', { relations: [{ to: '周伯', label: '父女' }] });
    await know('周伯');
    const prompt = await promptFor({ text: '林远来了。', skillId: '' });
    expect(prompt).toContain('- 林远 → 沈青（旧友）');
    expect(prompt).not.toContain('父女');
  });

  it('never lose a card that is never trimmed, however little it matters [budget.rules]', async () => {
    const budget = await desk.call<object>('context:budget:get', { projectId: project });
    await desk.call('context:budget:update', {
      projectId: project,
      ...budget,
      window: 6_000,
      outputReserve: 0,
    });
    for (let index = 0; index < 60; index += 1)
      await know(`路人${index}号`, { description: await prose(30, index) });
    await know('守塔人', { neverTrimmed: true });
    const { prompt, warnings } = await desk.assemble({ text: '夜。', skillId: '' });
    expect(warnings).toContain('CONTEXT_RULES_OVERBUDGET');
    expect(prompt).toContain('守塔人的描述');
    expect(prompt).not.toContain('路人7号');
  });
});

describe('retrieval', () => {
  it('follows the documents and leaves out what is read around the cursor anyway [assemble.api]', async () => {
    await write('旧章', '守塔人把铜钥匙藏在第三级石阶下面。', 1);
    await write('新章', '我想起铜钥匙。守塔人没有说它在哪里。', 2);
    const first = await desk.assemble({ documentId: '新章' });
    expect(first.layers.retrieved.chunks).toBe(1);
    expect(first.prompt).toContain('〔旧章〕\n守塔人把铜钥匙藏在第三级石阶下面。');
    expect(first.prompt.split('守塔人没有说它在哪里').length).toBe(2);
    await write('旧章', '守塔人把铜钥匙扔进了海里。', 1);
    expect((await desk.assemble({ documentId: '新章' })).prompt).toContain('扔进了海里');
    await desk.call('documents:delete', { projectId: project, documentId: '旧章' });
    expect((await desk.assemble({ documentId: '新章' })).layers.retrieved.chunks).toBe(0);
  });

  it('catches up with documents that were stored behind its back [assemble.api]', async () => {
    for (let index = 0; index < 12; index += 1)
      await desk.store.documents.put(project, {
        id: `卷${index}`,
        text: `铜钥匙的第${index}个传说。`,
        order: index,
      });
    const first = await desk.assemble({ text: '铜钥匙。', skillId: '' });
    expect(first.layers.retrieved.chunks).toBe(8);
    expect(first.warnings).toEqual([expect.stringMatching(/^RETRIEVAL_STALE: /)]);
    await expect
      .poll(async () => (await desk.store.chunks.indexedDocuments(project)).length, { timeout: 5_000 })
      .toBe(12);
    const second = await desk.assemble({ text: '铜钥匙。', skillId: '' });
    expect({ chunks: second.layers.retrieved.chunks, warnings: second.warnings }).toEqual({
      chunks: 12,
      warnings: [],
    });
  });
});

describe('memory', () => {
  it('counts when confirmed: rules in Settings, cases in Retrieved, notes in Immediate [layers.data]', async () => {
    const put = (kind: string, text: string, more: object = {}) =>
      desk.call<{ id: string }>('memory:put', { projectId: project, kind, text, ...more });
    await put('semantic', '偏好短句');
    await put('episodic', '上次把雨写成了雪');
    await put('working', '这一节要让他沉默');
    const learned = await put('semantic', '少用比喻', { origin: 'learned' });
    const { prompt, layers } = await desk.assemble({ text: '夜。' });
    expect(unfenced(prompt)).toBe(
      [
        '[写作偏好]\n- 偏好短句',
        '[历史案例]\n- 上次把雨写成了雪',
        '[工作记忆]\n- 这一节要让他沉默',
        '[当前章节]\n夜。【光标】',
      ].join('\n\n'),
    );
    expect(Object.values(layers).map(({ tokens }) => tokens > 0)).toEqual([false, true, true, true]);
    const { memory } = await desk.call<{ memory: object[] }>('memory:list', {
      projectId: project,
      confirmed: false,
    });
    expect(memory).toEqual([expect.objectContaining({ id: learned.id, confirmed: false })]);
    await desk.call('memory:delete', { projectId: project, id: learned.id });
    expect(await desk.refusal(desk.call('memory:confirm', { projectId: project, id: learned.id }))).toBe(
      'NOT_FOUND',
    );
  });
});

describe('documents', () => {
  it('come back as they were put, by project [assemble.api]', async () => {
    const text = '第一行\r\n第二行\n\t第三行 ';
    await desk.call('documents:put', { projectId: project, documentId: '甲', title: '题', order: 3, text });
    const got = await desk.call<object>('documents:get', { projectId: project, documentId: '甲' });
    expect(got).toMatchObject({ documentId: '甲', title: '题', order: 3, text });
    const { documents } = await desk.call<{ documents: object[] }>('documents:list', { projectId: project });
    expect(documents).toHaveLength(1);
    expect(documents[0]).not.toHaveProperty('text');
    expect(await desk.refusal(desk.call('documents:get', { projectId: '乙', documentId: '甲' }))).toBe(
      'NOT_FOUND',
    );
    expect(await desk.refusal(desk.call('documents:delete', { projectId: '乙', documentId: '甲' }))).toBe(
      'NOT_FOUND',
    );
  });
});

describe('receipts', () => {
  it('are listed, found, and say what changed between two [assemble.api]', async () => {
    await desk.call('constraints:create', { projectId: project, text: '第一人称', kind: 'narrative' });
    const first = await desk.assemble({ text: '夜。' });
    const created = await desk.call<{ id: string }>('constraints:create', {
      projectId: project,
      text: '没有魔法',
      kind: 'world',
    });
    const second = await desk.assemble({ text: '夜。' });
    const again = await desk.assemble({ text: '夜。' });
    const { receipts } = await desk.call<{ receipts: { id: string; operation: string }[] }>('receipts:list', {
      projectId: project,
    });
    expect(receipts.map(({ id }) => id)).toEqual([again.receiptId, second.receiptId, first.receiptId]);
    const stored = await desk.call<{ value: { id: string } }>('receipts:get', {
      projectId: project,
      id: first.receiptId,
    });
    expect(stored.value.id).toBe(first.receipt.id);
    expect(JSON.stringify(stored)).not.toMatch(/第一人称|夜。/);
    const diff = await desk.call<object>('receipts:diff', {
      projectId: project,
      from: first.receiptId,
      to: second.receiptId,
    });
    expect(diff).toMatchObject({
      same: false,
      added: [{ fragment: `constraint:${created.id}`, layer: 'rules', verdict: 'kept' }],
      removed: [],
      stablePrefix: { same: false },
    });
    const same = await desk.call<object>('receipts:diff', {
      projectId: project,
      from: second.receiptId,
      to: again.receiptId,
    });
    expect(same).toMatchObject({ same: true, added: [], removed: [], changed: [] });
    expect(await desk.refusal(desk.call('receipts:get', { projectId: '乙', id: first.receiptId }))).toBe(
      'NOT_FOUND',
    );
  });
});
