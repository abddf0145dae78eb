// 上下文组装 API and the acceptance criteria of the module: shapes, degradation, guards, concurrency.
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Meter } from '../../src/core/model/meter.js';
import { loadMeter } from '../../src/meters/load-meter.js';
import { assembleContext } from '../../src/writing/context/assemble-context.js';
import { contextRequest } from '../../src/writing/layers/context-request.js';
import { sweepSize } from '../sweep-size.js';
import { type Desk, giveBudget, openDesk, project } from './desk.js';
import { failing, watched } from './faulty-store.js';
import { prose, tokensOf } from './prose.js';

let desk: Desk;
beforeEach(async () => {
  desk = await openDesk();
});
afterEach(() => desk.close());

const base = { projectId: project, documentId: '第七章', cursorPosition: 9, skillId: 'continue' };
const request = (more: object = {}) =>
  contextRequest.parse({ ...base, text: '我推开门，林远在等。', ...more });
const ports = () => ({ store: desk.store, signal: desk.context.signal, log: desk.context.log });

describe('Requirement: 上下文组装 API', () => {
  it('Scenario: AI 技能调用时组装上下文 [scenarios.002]', async () => {
    await desk.call('constraints:create', { projectId: project, text: '第一人称', kind: 'narrative' });
    await desk.call('documents:put', {
      projectId: project,
      documentId: '第七章',
      title: '第七章',
      text: '我推开门，林远在等。',
    });
    const result = await desk.call<Record<string, unknown>>('context:assemble', {
      ...base,
      additionalInput: '写他开口',
    });
    expect(result).toMatchObject({
      prompt: expect.any(String),
      tokenCount: expect.any(Number),
      stablePrefixHash: expect.stringMatching(/^[0-9a-f]{64}$/),
      stablePrefixUnchanged: false,
      layers: {
        rules: { tokens: expect.any(Number), truncated: false },
        settings: { tokens: 0, truncated: false },
        retrieved: { tokens: 0, truncated: false, chunks: 0 },
        immediate: { tokens: expect.any(Number), truncated: false },
      },
      warnings: [],
    });
    const { prompt, tokenCount } = result as { prompt: string; tokenCount: number };
    expect(await tokensOf(prompt)).toBeLessThanOrEqual(tokenCount);
    expect(prompt).toContain('我推开门，林远在等【光标】。');
    expect(prompt.endsWith('[补充指令]\n写他开口')).toBe(true);
    expect(JSON.parse(JSON.stringify(result))).toEqual(result);
  });

  it('counts the cursor in code points and prefers the live text [assemble.api]', async () => {
    await desk.call('documents:put', { projectId: project, documentId: '第七章', text: '旧的文字。' });
    const { prompt } = await desk.assemble({
      documentId: '第七章',
      text: '😀𠀀风来。雨走。',
      cursorPosition: 4,
    });
    expect(prompt).toContain('😀𠀀风来【光标】。雨走。');
    expect(prompt).not.toContain('旧的文字');
    const stored = await desk.assemble({ documentId: '第七章', cursorPosition: 2 });
    expect(stored.prompt).toContain('旧的【光标】文字。');
  });

  it('marks a selection and reads around it what the skill asks for [assemble.api]', async () => {
    const text = `${'前'.repeat(900)}选中的话${'后'.repeat(900)}`;
    const { prompt } = await desk.assemble({ text, selection: { start: 900, end: 904 }, skillId: 'polish' });
    expect(prompt).toContain(`\n${'前'.repeat(500)}【选区开始】选中的话【选区结束】${'后'.repeat(500)}`);
    expect(prompt).not.toContain('前'.repeat(501));
    expect(await desk.refusal(desk.assemble({ text, selection: { start: 5, end: 2 } }))).toBe(
      'INVALID_ARGUMENT',
    );
  });

  it('injects only the kinds a skill asks for, and everything for an unknown skill [assemble.api]', async () => {
    await desk.call('entities:put', {
      projectId: project,
      name: '林远',
      description: '飞行员',
      relations: [{ to: '沈青', label: '旧友' }],
    });
    await desk.call('entities:put', { projectId: project, name: '沈青', description: '老板' });
    await desk.call('memory:put', { projectId: project, kind: 'semantic', text: '偏好短句' });
    await desk.call('memory:put', { projectId: project, kind: 'working', text: '正在写重逢' });
    await desk.store.settings.put(project, 'style_guide', '克制、留白');
    await desk.store.settings.put(project, 'outline', '第八章：离别');
    await desk.store.settings.put(project, '叙述人称', '第一人称');
    await desk.store.summaries.add(project, { text: '上回写到重逢', documentId: '第一章' });
    const seen = async (skillId: string) => {
      const { prompt, warnings } = await desk.assemble({ text: '林远站着。', skillId });
      const words = [
        '飞行员',
        '旧友',
        '偏好短句',
        '正在写重逢',
        '克制、留白',
        '第八章：离别',
        '叙述人称：第一人称',
        '上回写到重逢',
      ];
      return { words: words.filter((word) => prompt.includes(word)), warnings };
    };
    expect((await seen('polish')).words).toEqual(['偏好短句', '克制、留白']);
    expect((await seen('continue')).words).toEqual([
      '飞行员',
      '偏好短句',
      '正在写重逢',
      '第八章：离别',
      '叙述人称：第一人称',
      '上回写到重逢',
    ]);
    const unknown = await seen('没有这个技能');
    expect(unknown.words).toHaveLength(8);
    expect(unknown.warnings).toEqual([expect.stringMatching(/^SKILL_UNKNOWN: /)]);
    expect((await seen('')).warnings).toEqual([]);
  });

  it('Scenario: 上下文组装中某层数据源不可用 [scenarios.002]', async () => {
    await desk.call('constraints:create', { projectId: project, text: '第一人称', kind: 'narrative' });
    await desk.call('entities:put', { projectId: project, name: '林远', description: '飞行员' });
    const { prompt, warnings } = await assembleContext(request(), {
      ...ports(),
      store: failing(desk.store, 'entities'),
    });
    expect(warnings).toEqual(['KG_UNAVAILABLE: 知识图谱数据未注入']);
    expect(prompt).toContain('1. 第一人称');
    expect(prompt).not.toContain('飞行员');
    expect(prompt).toContain('林远在等【光标】');
  });

  it('goes on without any of its sources [assemble.degrade]', async () => {
    const store = failing(
      desk.store,
      'memory',
      'chunks',
      'settings',
      'documents',
      'constraints',
      'summaries',
    );
    const { prompt, warnings } = await assembleContext(request(), { ...ports(), store });
    expect([...warnings].sort()).toEqual([
      'CONSTRAINTS_UNAVAILABLE: 创作约束未注入',
      'MEMORY_UNAVAILABLE: 记忆数据未注入',
      'RETRIEVAL_UNAVAILABLE: 检索片段未注入',
      'SETTINGS_UNAVAILABLE: 项目设定未注入',
      'SUMMARY_UNAVAILABLE: 近期摘要未注入',
    ]);
    expect(prompt).toContain('林远在等【光标】');
  });
});

describe('Requirement: 模块级可验收标准', () => {
  it('Scenario: 组装性能与预算一致性达标 [scenarios.002]', async () => {
    await giveBudget(desk, 3_000);
    await desk.call('constraints:create', { projectId: project, text: '第一人称', kind: 'narrative' });
    await desk.call('memory:put', { projectId: project, kind: 'semantic', text: '偏好短句' });
    await desk.call('documents:put', {
      projectId: project,
      documentId: '卷首',
      text: await prose(300, 1, '灯塔'),
    });
    const text = `${await prose(3_300)}灯塔`;
    const length = sweepSize('prompts assembled at the same time', { everyRun: 100, nightly: 500 });
    const results = await Promise.all(
      Array.from({ length }, (_, index) =>
        desk.assemble({ documentId: `文档${index % 125}`, text: text.slice(index % 7), skillId: '' }),
      ),
    );
    expect(results).toHaveLength(length);
    for (const { tokenCount, budget, layers } of results) {
      expect(tokenCount).toBeLessThanOrEqual(budget.total);
      expect(layers.rules.tokens * layers.settings.tokens * layers.immediate.tokens).toBeGreaterThan(0);
    }
    expect(await tokensOf(results[7]?.prompt ?? '')).toBeLessThanOrEqual(3_000);
  });

  it('Scenario: 预算计算器异常自动回退 [scenarios.002]', async () => {
    await giveBudget(desk, 5_000);
    const exact = await loadMeter('o200k_base');
    let calls = 0;
    const moody: Meter = {
      ...exact,
      weigh: (text) => {
        calls += 1;
        return calls > 5 ? -1 : exact.weigh(text);
      },
    };
    for (const breaking of [async () => moody, async () => Promise.reject(new Error('no tokenizer'))]) {
      const result = await assembleContext(request(), { ...ports(), loadMeter: breaking });
      expect(result.warnings).toEqual(['CONTEXT_BUDGET_FALLBACK']);
      expect(result.budget.total).toBeGreaterThan(120_000);
      expect(result.receipt.meter).toEqual({ id: 'cjk-estimate', exact: false });
      expect(result.prompt).toContain('林远在等【光标】');
      expect(await tokensOf(result.prompt)).toBeLessThanOrEqual(result.tokenCount);
    }
  });

  it('falls back to the default budget when the stored one cannot be read [budget.fallback]', async () => {
    await desk.store.budgets.update(project, 0, { window: 'wide' });
    const malformed = await assembleContext(request(), ports());
    const unreadable = await assembleContext(request(), {
      ...ports(),
      store: failing(desk.store, 'budgets'),
    });
    for (const { warnings, budget } of [malformed, unreadable]) {
      expect(warnings).toEqual(['CONTEXT_BUDGET_FALLBACK']);
      expect(budget.total).toBeGreaterThan(120_000);
    }
  });

  it('caps the input at 64k tokens, but not because a chapter is long [limits.input]', async () => {
    const sentence = '他沿着海岸走了整整一夜，没有遇见一个人。';
    const chapter = sentence.repeat(10_000);
    const { layers, warnings } = await desk.assemble({
      text: chapter,
      cursorPosition: 150_000,
      skillId: '',
    });
    expect(layers.immediate.tokens).toBeGreaterThan(20_000);
    expect(layers.immediate.tokens).toBeLessThan(33_000);
    expect(warnings).toEqual([]);
  });

  it('Scenario: 超大上下文输入保护 [scenarios.002]', async () => {
    const extra = await tokensOf('他沿着海岸走了整整一夜，没有遇见一个人。');
    const additionalInput = '他沿着海岸走了整整一夜，没有遇见一个人。'.repeat(Math.ceil(90_000 / extra));
    const pending = desk.assemble({ text: '夜。', additionalInput });
    await expect(pending).rejects.toMatchObject({ code: 'CONTEXT_INPUT_TOO_LARGE' });
    await expect(pending).rejects.toThrow('缩小检索范围');
    for (let index = 0; index < 30; index += 1) {
      await desk.call('memory:put', {
        projectId: project,
        kind: 'episodic',
        text: additionalInput.slice(index, index + 4_000),
      });
    }
    expect(await desk.refusal(desk.assemble({ text: '夜。' }))).toBe('CONTEXT_INPUT_TOO_LARGE');
  });

  it('Scenario: 并发组装背压 [scenarios.002]', async () => {
    let running = 0;
    let most = 0;
    let open = () => {};
    const opened = new Promise<void>((resolve) => {
      open = resolve;
    });
    const slow = watched(desk.store, async (name) => {
      if (name === 'documents.list') {
        running += 1;
        most = Math.max(most, running);
        await opened;
      }
      if (name === 'receipts.put') running -= 1;
    });
    const calls = Array.from({ length: 20 }, () =>
      desk.call('context:assemble', { ...base, text: '夜。' }, { store: async () => slow }),
    );
    await vi.waitFor(() => expect(running).toBeGreaterThanOrEqual(4), 10_000);
    open();
    const results = await Promise.all(calls);
    expect(results).toHaveLength(20);
    expect(most).toBe(4);
  });

  it('refuses when too many wait, and lets those that run finish [limits.concurrency]', async () => {
    const outcomes = await Promise.allSettled(
      Array.from({ length: 90 }, () => desk.assemble({ documentId: '同一章', text: '夜。' })),
    );
    const refused = outcomes.filter((outcome) => outcome.status === 'rejected');
    expect(refused).toHaveLength(90 - 64);
    for (const outcome of refused)
      expect(outcome).toMatchObject({ reason: { code: 'CONTEXT_BACKPRESSURE' } });
    expect(await desk.refusal(desk.assemble({ documentId: '同一章', text: '夜。' }))).toBe('accepted');
  });

  it('stops waiting when the caller does [limits.concurrency]', async () => {
    const control = new AbortController();
    const pending = Array.from({ length: 10 }, () =>
      desk.refusal(desk.call('context:assemble', { ...base, text: '夜。' }, { signal: control.signal })),
    );
    control.abort();
    expect(new Set(await Promise.all(pending))).toEqual(new Set(['CANCELLED']));
  });

  it('takes at most 200 passages and says what was cut [limits.counts]', async () => {
    for (let index = 0; index < 230; index += 1) {
      await desk.store.memory.put(project, {
        kind: 'episodic',
        text: `案例${index}`,
        confidence: index / 230,
      });
    }
    const { layers, warnings, prompt } = await desk.assemble({ text: '夜。' });
    expect(layers.retrieved).toMatchObject({ chunks: 200, truncated: true });
    expect(warnings).toContain('CONTEXT_LIMIT_EXCEEDED');
    expect(prompt).toContain('- 案例229');
    expect(prompt).not.toContain('- 案例29\n');
  });
});
