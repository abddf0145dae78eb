// 四层上下文架构, Token 预算管理 and Constraints: the scenarios with their numbers.
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type Desk, giveBudget, openDesk, project, unfenced } from './desk.js';
import { prose, tokensOf } from './prose.js';

let desk: Desk;
beforeEach(async () => {
  desk = await openDesk();
});
afterEach(() => desk.close());

const constrain = (text: string, more: object = {}) =>
  desk.call('constraints:create', { projectId: project, text, kind: 'narrative', ...more });
const know = (name: string, description: string, more: object = {}) =>
  desk.call('entities:put', { projectId: project, name, description, ...more });
const remember = (text: string, more: object = {}) =>
  desk.call('memory:put', { projectId: project, kind: 'semantic', text, ...more });
const write = (documentId: string, text: string, more: object = {}) =>
  desk.call('documents:put', { projectId: project, documentId, text, ...more });

describe('Requirement: 四层上下文架构', () => {
  it('Scenario: 四层上下文正常组装 [layers.order] [scenarios.002]', async () => {
    await constrain('第一人称');
    await know('林远', '退役飞行员，性格冷静');
    await remember('动作场景偏好短句', { confidence: 0.9 });
    await write('第三章', '林远第一次登上灯塔，灯塔里只有一盏旧灯，看守人把钥匙交给了他。', { order: 3 });
    const chapter = await prose(3_200, 1);
    await write('第十章', `${chapter}林远走向灯塔，手里握着钥匙。`, { order: 10 });

    const { prompt, layers, warnings, tokenCount } = await desk.assemble({ documentId: '第十章' });

    const near = `${chapter}林远走向灯塔，手里握着钥匙。`.slice(-2_650);
    expect(await tokensOf(near)).toBeGreaterThan(2_000);
    const places = [
      '[创作约束 - 不可违反]\n1. 第一人称',
      '林远：退役飞行员，性格冷静',
      '动作场景偏好短句',
      '看守人把钥匙交给了他',
      near,
    ].map((text) => prompt.indexOf(text));
    expect(places.every((place) => place >= 0)).toBe(true);
    expect(places).toEqual([...places].sort((a, b) => a - b));
    expect(layers.immediate.tokens).toBeGreaterThan(2_000);
    for (const layer of Object.values(layers)) {
      expect(layer.tokens).toBeGreaterThan(0);
      expect(layer.truncated).toBe(false);
    }
    expect(
      layers.rules.tokens + layers.settings.tokens + layers.retrieved.tokens + layers.immediate.tokens,
    ).toBe(tokenCount);
    expect(warnings).toEqual([]);
  });

  it('Scenario: 新项目——Rules 和 Settings 为空 [layers.empty] [scenarios.002]', async () => {
    const { prompt, layers, warnings } = await desk.assemble({
      projectId: '新项目',
      text: '我在雨里走了很久。',
      skillId: '',
    });
    expect(layers.rules).toEqual({ tokens: 0, truncated: false });
    expect(layers.settings).toEqual({ tokens: 0, truncated: false });
    expect(layers.retrieved).toEqual({ tokens: 0, truncated: false, chunks: 0 });
    expect(layers.immediate.tokens).toBeGreaterThan(0);
    expect(unfenced(prompt)).toBe('[当前章节]\n我在雨里走了很久。【光标】');
    expect(warnings).toEqual([]);
  });

  it('assembles an unknown project without any text [layers.empty]', async () => {
    const { prompt, tokenCount } = await desk.assemble({ projectId: '无' });
    expect({ prompt, tokenCount }).toEqual({ prompt: '', tokenCount: 0 });
  });
});

/** Rules, Settings and Immediate of about the given sizes; Retrieved comes from ten chapters that share a rare word. */
async function fill(sizes: { rules: number; settings: number; retrieved: number; immediate: number }) {
  for (let index = 0; index < 4; index += 1) {
    await constrain(await prose(Math.floor(sizes.rules / 4) - 4, index));
    await remember(await prose(Math.floor(sizes.settings / 4) - 4, index + 10), {
      confidence: (index + 1) / 10,
    });
  }
  for (let index = 0; index < 10; index += 1) {
    const text = await prose(
      Math.floor(sizes.retrieved / 10) - 12,
      index + 20,
      index < 5 ? '琥珀钟表' : '琥珀',
    );
    await write(`卷一-${index}`, text, { title: `卷一之${index}` });
  }
  const immediate = await prose(sizes.immediate - 30, 40);
  return `${immediate}琥珀钟表`;
}

describe('Requirement: Token 预算管理', () => {
  it('Scenario: Token 预算内——不裁剪 [budget.trim] [scenarios.002]', async () => {
    await giveBudget(desk, 6_000);
    const text = await fill({ rules: 800, settings: 500, retrieved: 1_500, immediate: 2_700 });
    const { tokenCount, layers, warnings, receipt } = await desk.assemble({ text, skillId: '' });
    expect(receipt.budget.n).toBe(6_000);
    expect(tokenCount).toBeGreaterThan(5_300);
    expect(tokenCount).toBeLessThanOrEqual(5_700);
    expect(Object.values(layers).some((layer) => layer.truncated)).toBe(false);
    expect(layers.retrieved.chunks).toBe(10);
    expect(receipt.ledger.every(({ verdict }) => verdict === 'kept')).toBe(true);
    expect(warnings).toEqual([]);
  });

  it('Scenario: Token 超出预算——裁剪 Retrieved 层 [budget.trim] [scenarios.002]', async () => {
    await giveBudget(desk, 6_000);
    const text = await fill({ rules: 800, settings: 500, retrieved: 2_500, immediate: 3_700 });
    const whole = await desk.call<{ tokenCount: number }>('context:assemble', {
      projectId: project,
      documentId: '第一章',
      cursorPosition: 1_000_000,
      skillId: '',
      text,
      refill: false,
    });
    const { tokenCount, layers, receipt } = await desk.assemble({
      text,
      skillId: '',
      refill: false,
      layout: 'exact',
    });
    expect(whole.tokenCount).toBeLessThanOrEqual(6_000);
    expect(tokenCount).toBeLessThanOrEqual(6_000);
    const offered = receipt.ledger.reduce((sum, { amount = 0 }) => sum + amount, 0);
    expect(offered).toBeGreaterThan(7_200);
    expect(layers.retrieved.truncated).toBe(true);
    expect(layers.rules.truncated || layers.settings.truncated || layers.immediate.truncated).toBe(false);
    expect(layers.rules.tokens).toBeGreaterThan(700);
    expect(layers.immediate.tokens).toBeGreaterThan(3_600);
    // Lowest similarity went first: whatever stays has at least the rank of what went.
    const passages = receipt.ledger.filter(({ layer }) => layer === 'retrieved');
    const kept = passages.filter(({ verdict }) => verdict === 'kept').map(({ fragment }) => fragment);
    const left = passages.filter(({ verdict }) => verdict === 'conceded').map(({ fragment }) => fragment);
    expect(kept.length).toBeGreaterThan(0);
    expect(kept.every((id) => /卷一-[0-4]#/.test(id))).toBe(true);
    expect(left.length + kept.length).toBe(10);
  });

  it('cuts a large passage to what fits instead of leaving it out, and says so [budget.trim]', async () => {
    await giveBudget(desk, 3_420, { immediate: { share: 0.5, floor: 0 } });
    await write('大', await prose(1_600, 1, '琥珀钟表'), {});
    const text = `${await prose(2_300, 3)}琥珀钟表`;
    for (let index = 0; index < 6; index += 1) await write(`小${index}`, `琥珀旧事${index}。`);
    const literal = await desk.assemble({ text, skillId: '', refill: false, layout: 'exact' });
    const cut = await desk.assemble({ text, skillId: '', layout: 'exact' });
    const verdicts = (of: typeof literal) => new Set(of.receipt.ledger.map(({ verdict }) => verdict));
    expect(verdicts(literal).has('stepped-down')).toBe(false);
    expect(verdicts(cut).has('stepped-down')).toBe(true);
    expect(cut.layers.retrieved.truncated).toBe(true);
    expect(cut.tokenCount).toBeGreaterThan(literal.tokenCount);
    expect(cut.tokenCount).toBeLessThanOrEqual(3_420);
  });

  it('Scenario: 极端场景——Rules 层单独超出预算 [budget.rules] [scenarios.002]', async () => {
    await giveBudget(desk, 6_000);
    for (let index = 0; index < 100; index += 1) {
      await know(`角色${index}号`, `住在第${index}条街，做了${index}年的船工，不爱说话。`);
    }
    await know('林远', '退役飞行员，性格冷静，左手有旧伤。');
    await know('沈青', '修理厂老板，欠林远一个人情。');
    const text = `${await prose(1_500)}林远推开门，看见沈青坐在灯下。`;
    const { prompt, layers, warnings, receipt, tokenCount } = await desk.assemble({ text, skillId: '' });
    const offered = receipt.ledger.filter(({ layer }) => layer === 'rules');
    expect(offered.length).toBeGreaterThanOrEqual(102);
    expect(offered.reduce((sum, { amount = 0 }) => sum + amount, 0)).toBeGreaterThan(2_000);
    expect(warnings).toContain('CONTEXT_RULES_OVERBUDGET');
    expect(layers.rules.truncated).toBe(true);
    expect(layers.rules.tokens).toBeLessThanOrEqual(900);
    expect(tokenCount).toBeLessThanOrEqual(6_000);
    expect(prompt).toContain('林远：退役飞行员');
    expect(prompt).toContain('沈青：修理厂老板');
    expect(prompt).not.toContain('角色42号');
    // Chosen by relevance: behind the cache boundary, still counted in Rules.
    expect(prompt).toContain('[当前相关设定]');
    const logged = desk.log.filter(({ event }) => event === 'CONTEXT_RULE_LEFT_OUT');
    expect(logged.length).toBe(100);
    expect(
      desk.log.some(({ level, event }) => level === 'warning' && event === 'CONTEXT_RULES_OVERBUDGET'),
    ).toBe(true);
    expect(JSON.stringify(desk.log)).not.toMatch(/林远|角色|船工/);
  });

  it('cuts Settings by confidence after Retrieved is gone, then the text farthest from the cursor [budget.trim] [budget.shares]', async () => {
    await giveBudget(desk, 4_000);
    const text = await fill({ rules: 500, settings: 1_200, retrieved: 1_000, immediate: 5_000 });
    const { tokenCount, layers, prompt, receipt } = await desk.assemble({ text, skillId: '', refill: false });
    expect(tokenCount).toBeLessThanOrEqual(4_000);
    expect(layers.retrieved.chunks).toBe(0);
    expect(layers.settings.truncated).toBe(true);
    // The floor is a stop line, not a target: the item that reaches it stays whole.
    expect(layers.settings.tokens).toBeGreaterThanOrEqual(200);
    expect(layers.settings.tokens).toBeLessThan(600);
    expect(layers.immediate.tokens).toBeGreaterThanOrEqual(2_000);
    expect(unfenced(prompt).endsWith(`${text.slice(-400)}【光标】`)).toBe(true);
    expect(prompt).not.toContain(text.slice(0, 40));
    const settings = receipt.ledger.filter(({ layer }) => layer === 'settings');
    expect(settings.map(({ verdict }) => verdict)).toEqual(['conceded', 'conceded', 'conceded', 'kept']);
  });

  it('gives up text after the cursor before text in front of it [budget.trim]', async () => {
    await giveBudget(desk, 2_600);
    const [before, after] = [await prose(2_200, 1), await prose(900, 2)];
    const { prompt, layers } = await desk.assemble({
      text: before + after,
      cursorPosition: before.length,
      skillId: '',
    });
    expect(layers.immediate.truncated).toBe(true);
    expect(prompt).toContain(before);
    expect(prompt).toContain(`【光标】${after.slice(0, 40)}`);
    expect(prompt).not.toContain(after.slice(-40));
  });

  it('refuses what must stay and does not fit, and says what is missing [budget.shares]', async () => {
    await giveBudget(desk, 1_000);
    await constrain(await prose(1_500), { pinned: true });
    const pending = desk.assemble({ text: '短。', skillId: '' });
    await expect(pending).rejects.toMatchObject({ code: 'CONTEXT_BUDGET_INFEASIBLE' });
    await expect(pending).rejects.toSatisfy(
      (error: { details: { missing: number } }) => error.details.missing > 400,
    );
  });

  it('counts the system text of the skill and the reserve for the answer [budget.shares]', async () => {
    const { budget } = await desk.assemble({ text: '短。', skillId: 'polish' });
    const { budget: plain } = await desk.assemble({ text: '短。', skillId: '' });
    expect(plain.total).toBe(126_000);
    expect(budget.total).toBeLessThan(126_000);
    expect(budget.total).toBeGreaterThan(125_000);
  });

  it('weighs with the tokenizer of the model, or an estimate that says so [budget.tokenizer]', async () => {
    const text = await prose(500);
    const exact = await desk.assemble({ text, model: 'gpt-4o' });
    const older = await desk.assemble({ text, model: 'gpt-4' });
    const guessed = await desk.assemble({ text, model: 'claude-sonnet-4-5' });
    expect(exact.receipt.meter).toEqual({ id: 'o200k_base', exact: true });
    expect(older.receipt.meter).toEqual({ id: 'cl100k_base', exact: true });
    expect(guessed.receipt.meter.exact).toBe(false);
    expect(guessed.tokenCount).toBeGreaterThan(exact.tokenCount);
    const sum = Object.values(guessed.layers).reduce((total, { tokens }) => total + tokens, 0);
    expect(sum).toBe(guessed.tokenCount);
  });
});

describe('Requirement: Constraints（创作约束）', () => {
  it('Scenario: 用户添加创作约束 [constraints.crud] [scenarios.002]', async () => {
    const created = await desk.call<{ id: string }>('constraints:create', {
      projectId: project,
      text: '主角在第五章之前不知道真相',
      kind: 'plot',
    });
    expect(created).toMatchObject({ origin: 'user', priority: 0, pinned: false, kind: 'plot' });
    for (const skillId of ['continue', 'polish', 'unknown-skill', '']) {
      const { prompt } = await desk.assemble({ text: '夜。', skillId });
      expect(prompt.startsWith('[创作约束 - 不可违反]\n1. 主角在第五章之前不知道真相')).toBe(true);
    }
    const { id } = created;
    await desk.call('constraints:update', { projectId: project, id, text: '主角在第六章之前不知道真相' });
    const { constraints } = await desk.call<{ constraints: object[] }>('constraints:list', {
      projectId: project,
    });
    expect(constraints).toEqual([
      expect.objectContaining({ id, text: '主角在第六章之前不知道真相', kind: 'plot' }),
    ]);
    await desk.call('constraints:delete', { projectId: project, id });
    expect((await desk.assemble({ text: '夜。' })).layers.rules.tokens).toBe(0);
  });

  it('injects constraints numbered under their heading, highest priority first [constraints.crud]', async () => {
    await constrain('林远性格冷静，不会大声喊叫', { kind: 'character', origin: 'knowledge' });
    await constrain('严格第一人称叙述', { priority: 5 });
    await constrain('本世界没有魔法', { kind: 'world' });
    const { prompt } = await desk.assemble({ text: '夜。' });
    expect(prompt.split('\n\n')[0]).toBe(
      '[创作约束 - 不可违反]\n1. 严格第一人称叙述\n2. 林远性格冷静，不会大声喊叫\n3. 本世界没有魔法',
    );
  });

  it('Scenario: 约束过多导致 Rules 层膨胀 [budget.rules] [scenarios.002]', async () => {
    await giveBudget(desk, 6_000);
    for (let index = 0; index < 30; index += 1) {
      const origin = index < 10 ? 'user' : index < 20 ? 'project' : 'knowledge';
      await constrain(await prose(88, index), { origin, ...(index === 25 ? { pinned: true } : {}) });
    }
    await know('林远', await prose(300, 50));
    const { layers, warnings, receipt, prompt } = await desk.assemble({ text: '林远走了。', skillId: '' });
    const rules = receipt.ledger.filter(({ layer }) => layer === 'rules');
    expect(rules.reduce((sum, { amount = 0 }) => sum + amount, 0)).toBeGreaterThan(2_900);
    expect(warnings).toContain('CONTEXT_RULES_OVERBUDGET');
    // What the user wrote or pinned stays whatever it weighs; everything else keeps to the line.
    const written = rules.filter(({ reason }) => reason === 'pinned');
    expect(written).toHaveLength(11);
    expect(layers.rules.tokens).toBeLessThanOrEqual(
      Math.max(900, written.reduce((sum, { amount = 0 }) => sum + amount, 0) + 20),
    );
    const kept = rules.filter(({ verdict }) => verdict === 'kept').map(({ source }) => source);
    // Everything from the knowledge graph went before anything the user wrote, except what is pinned.
    expect(new Set(kept)).toEqual(new Set(['constraints/user', 'constraints/knowledge']));
    expect(kept.filter((source) => source === 'constraints/knowledge')).toHaveLength(1);
    expect(prompt).toContain((await prose(88, 25)).replaceAll('\n', ' '));
    const left = rules.filter(({ verdict }) => verdict === 'over-own-line');
    expect(desk.log.filter(({ event }) => event === 'CONTEXT_RULE_LEFT_OUT')).toHaveLength(left.length);
  });

  it('refuses the 501st constraint and foreign ids [constraints.crud]', async () => {
    for (let index = 0; index < 500; index += 1)
      await desk.store.constraints.create(project, { text: `约束${index}`, kind: 'style' });
    expect(await desk.refusal(constrain('再来一条'))).toBe('CONTEXT_LIMIT_EXCEEDED');
    const { constraints } = await desk.call<{ constraints: { id: string }[] }>('constraints:list', {
      projectId: project,
    });
    expect(constraints).toHaveLength(500);
    const foreign = { projectId: '别的项目', id: constraints[0]?.id };
    expect(await desk.refusal(desk.call('constraints:delete', foreign))).toBe('NOT_FOUND');
    expect(await desk.refusal(desk.call('constraints:update', { ...foreign, text: '改' }))).toBe('NOT_FOUND');
    expect(await desk.refusal(constrain('x', { kind: 'weather' }))).toBe('INVALID_ARGUMENT');
  });
});
