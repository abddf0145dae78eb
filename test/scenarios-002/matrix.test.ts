// 异常与边界覆盖矩阵: a test for every row, and a sweep in which every single call of the store fails once.
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { isGalleyError } from '../../src/core/model/error.js';
import { contextAssemble } from '../../src/operations/context.js';
import type { Store } from '../../src/store/store.js';
import { assembleContext } from '../../src/writing/context/assemble-context.js';
import { contextRequest } from '../../src/writing/layers/context-request.js';
import { sweepOver } from '../sweep-size.js';
import { type Desk, giveBudget, openDesk, project, unfenced } from './desk.js';
import { broken, failing, watched } from './faulty-store.js';
import { prose } from './prose.js';

let desk: Desk;
beforeEach(async () => {
  desk = await openDesk();
  await desk.call('constraints:create', { projectId: project, text: '第一人称', kind: 'narrative' });
  await desk.call('entities:put', { projectId: project, name: '林远', description: '飞行员' });
  await desk.call('memory:put', { projectId: project, kind: 'semantic', text: '偏好短句' });
  await desk.call('documents:put', {
    projectId: project,
    documentId: '第一章',
    text: '林远走进灯塔，灯塔里很暗。',
  });
  await desk.call('documents:put', { projectId: project, documentId: '第二章', text: '林远离开灯塔。' });
});
afterEach(() => desk.close());

const request = (more: object = {}) =>
  contextRequest.parse({
    projectId: project,
    documentId: '第二章',
    cursorPosition: 7,
    skillId: 'continue',
    ...more,
  });
const assembleWith = (store: Store, more: object = {}) =>
  assembleContext(request(more), { store, signal: desk.context.signal, log: desk.context.log });
const item = (more: object = {}) => ({
  id: 'i',
  projectId: project,
  layer: 'retrieved',
  source: 'host',
  text: '外来的片段',
  tokenCount: 5,
  ...more,
});
const assembleItems = (...items: unknown[]) =>
  assembleContext(request(), {
    store: desk.store,
    signal: desk.context.signal,
    log: desk.context.log,
    sources: [{ id: 'host', read: async () => items }],
  });

describe('网络/IO 失败', () => {
  it('检索层读取失败 [matrix.002]', async () => {
    const { warnings, layers, prompt } = await assembleWith(failing(desk.store, 'chunks.search'));
    expect(warnings).toEqual(['RETRIEVAL_UNAVAILABLE: 检索片段未注入']);
    expect(layers.retrieved.chunks).toBe(0);
    expect(prompt).toContain('林远离开灯塔。【光标】');
  });

  it('记忆层读取失败 [matrix.002]', async () => {
    const { warnings, layers, prompt } = await assembleWith(failing(desk.store, 'memory'));
    expect(warnings).toEqual(['MEMORY_UNAVAILABLE: 记忆数据未注入']);
    expect(layers.settings.tokens).toBe(0);
    expect(prompt).toContain('1. 第一人称');
  });

  it('a source that hangs costs a warning, not the assembly [assemble.degrade]', async () => {
    const { warnings } = await assembleContext(request(), {
      store: desk.store,
      signal: desk.context.signal,
      log: desk.context.log,
      sources: [{ id: 'host', timeLimitMs: 20, read: () => new Promise(() => undefined) }],
    });
    expect(warnings).toEqual(['RETRIEVAL_UNAVAILABLE: 检索片段未注入']);
  });
});

describe('数据异常', () => {
  it('层数据格式非法 [matrix.002]', async () => {
    const { warnings, prompt, receipt } = await assembleItems(
      item({ id: 'good' }),
      item({ id: 'no-source', source: undefined }),
      item({ id: 'extra', colour: 'red' }),
      { nonsense: true },
    );
    expect(warnings).toEqual(['CONTEXT_LAYER_INVALID']);
    expect(prompt).toContain('外来的片段');
    const invalid = receipt.warnings.filter(({ code }) => code === 'CONTEXT_LAYER_INVALID');
    expect(invalid.map(({ details }) => details?.item)).toEqual([1, 2, 3]);
  });

  it('token 统计为负值 [matrix.002]', async () => {
    const { warnings, prompt, receipt } = await assembleItems(
      item({ text: '坏的', tokenCount: -3 }),
      item({ id: 'j' }),
    );
    expect(warnings).toEqual(['CONTEXT_LAYER_INVALID']);
    expect(receipt.warnings[0]).toMatchObject({ details: { source: 'host', item: 0, field: 'tokenCount' } });
    expect(prompt).toContain('外来的片段');
    expect(prompt).not.toContain('坏的');
  });

  it('rows of the store that do not read cost only themselves [layers.data]', async () => {
    const spoiled: Store = {
      ...desk.store,
      memory: {
        ...desk.store.memory,
        list: async (...given) => [
          ...(await desk.store.memory.list(...given)),
          {
            id: 'm',
            kind: 'semantic',
            text: 7,
            confidence: 1,
            confirmed: true,
            origin: 'caller',
            createdAt: 0,
          } as never,
          { id: 'n', kind: 'semantic', text: '坏的', confidence: Number.NaN, confirmed: true } as never,
        ],
      },
    };
    const { warnings, prompt } = await assembleWith(spoiled);
    expect(warnings).toEqual(['CONTEXT_LAYER_INVALID']);
    expect(prompt).toContain('偏好短句');
    expect(prompt).not.toContain('坏的');
  });

  it('every item of every layer carries its source and tokens [layers.data]', async () => {
    const { layers } = await desk.call<{
      layers: Record<string, { items: { source: string; tokenCount: number }[] }>;
    }>('context:inspect', { ...request() });
    const items = Object.values(layers).flatMap((layer) => layer.items);
    expect(items.length).toBeGreaterThan(4);
    for (const { source, tokenCount } of items) {
      expect(source).not.toBe('');
      expect(tokenCount).toBeGreaterThan(0);
    }
  });
});

describe('并发冲突', () => {
  it('并发组装同文档不同光标 [matrix.002]', async () => {
    const cursors = [0, 2, 4, 6, 7, 1, 3, 5];
    const results = await Promise.all(
      cursors.map((cursorPosition) => assembleWith(desk.store, { cursorPosition })),
    );
    const text = '林远离开灯塔。';
    results.forEach(({ prompt }, index) => {
      const at = cursors[index] ?? 0;
      expect(prompt).toContain(`${text.slice(0, at)}【光标】${text.slice(at)}`);
    });
    expect(new Set(results.map(({ stablePrefixHash }) => stablePrefixHash)).size).toBe(1);
    expect(results.filter(({ stablePrefixUnchanged }) => !stablePrefixUnchanged)).toHaveLength(1);
  });

  it('Scenario: 并发更新预算配置的版本校验 [scenarios.002]', async () => {
    const budget = await desk.call<{ version: number; layers: object }>('context:budget:get', {
      projectId: project,
    });
    const update = (window: number) =>
      desk.call('context:budget:update', { projectId: project, ...budget, window });
    const windows = [9_000, 10_000];
    const outcomes = await Promise.all(windows.map((window) => desk.refusal(update(window))));
    expect(outcomes.toSorted()).toEqual(['CONTEXT_BUDGET_CONFLICT', 'accepted']);
    expect(await desk.call('context:budget:get', { projectId: project })).toEqual({
      ...budget,
      version: budget.version + 1,
      window: windows[outcomes.indexOf('accepted')],
    });
  });

  it('takes what get answered back verbatim, and refuses nonsense [budget.versioned]', async () => {
    const budget = await desk.call<{ version: number; layers: { rules: object } }>('context:budget:get', {
      projectId: project,
    });
    expect(budget.version).toBe(0);
    const stored = await desk.call<{ version: number }>('context:budget:update', {
      projectId: project,
      ...budget,
    });
    expect(stored).toEqual({ ...budget, version: 1 });
    const send = (change: object) =>
      desk.refusal(desk.call('context:budget:update', { projectId: project, ...stored, ...change }));
    expect(await send({ window: 1_000 })).toBe('INVALID_ARGUMENT');
    expect(await send({ layers: { ...budget.layers, rules: { share: 1.5, floor: 0 } } })).toBe(
      'INVALID_ARGUMENT',
    );
    expect(await send({ layers: { ...budget.layers, extra: { share: 0, floor: 0 } } })).toBe(
      'INVALID_ARGUMENT',
    );
    expect(await send({ version: 0 })).toBe('CONTEXT_BUDGET_CONFLICT');
  });
});

describe('容量溢出', () => {
  it('单层 token 爆炸 [matrix.002]', async () => {
    await giveBudget(desk, 4_000);
    for (let index = 0; index < 20; index += 1) {
      await desk.call('memory:put', {
        projectId: project,
        kind: 'semantic',
        text: await prose(400, index),
        confidence: index / 20,
      });
    }
    const { tokenCount, layers } = await assembleWith(desk.store, { skillId: '' });
    expect(tokenCount).toBeLessThanOrEqual(4_000);
    expect(layers.settings.truncated).toBe(true);
    expect(layers.immediate.truncated).toBe(false);
  });

  it('总预算溢出 [matrix.002]', async () => {
    await giveBudget(desk, 1_500);
    const text = await prose(3_000);
    const { tokenCount, warnings } = await assembleWith(desk.store, {
      text,
      cursorPosition: text.length,
      skillId: '',
      layout: 'exact',
    }).catch((error: unknown) => {
      expect(error).toMatchObject({
        code: 'CONTEXT_BUDGET_INFEASIBLE',
        message: expect.stringMatching(/\(.*text \d{4}.*; layers keep at least: .*immediate 2000\)/),
        details: { unit: 'tokens', floors: expect.arrayContaining(['immediate 2000']) },
      });
      return { tokenCount: 0, warnings: [] };
    });
    expect({ tokenCount, warnings }).toEqual({ tokenCount: 0, warnings: [] });
    await giveBudget(desk, 2_600);
    const fitting = await assembleWith(desk.store, { text, cursorPosition: text.length, skillId: '' });
    expect(fitting.tokenCount).toBeLessThanOrEqual(2_600);
    expect(fitting.layers.immediate.tokens).toBeGreaterThanOrEqual(2_000);
  });
});

describe('权限/安全', () => {
  it('Scenario: 跨项目上下文注入被阻断 [scenarios.002]', async () => {
    const pending = assembleItems(item(), item({ id: 'foreign', projectId: 'B', text: '别的项目的秘密' }));
    await expect(pending).rejects.toMatchObject({ code: 'CONTEXT_SCOPE_VIOLATION' });
    await expect(pending).rejects.not.toThrow('秘密');
    expect(desk.log).toContainEqual(
      expect.objectContaining({ level: 'security', event: 'CONTEXT_SCOPE_VIOLATION' }),
    );
    expect(JSON.stringify(desk.log)).not.toContain('秘密');
    expect(await desk.store.receipts.list(project)).toEqual([]);
  });

  it('keeps projects apart [scope.isolate]', async () => {
    const { prompt } = await desk.assemble({ projectId: '乙', documentId: '第二章', text: '林远，灯塔。' });
    expect(unfenced(prompt)).toBe('[当前章节]\n林远，灯塔。【光标】');
  });

  it('未授权 inspect [matrix.002]', async () => {
    const inspect = (change: object) => desk.refusal(desk.call('context:inspect', request(), change));
    expect(await inspect({})).toBe('accepted');
    expect(await inspect({ debug: false })).toBe('CONTEXT_INSPECT_FORBIDDEN');
    expect(await inspect({ grants: new Set(['read', 'write']) })).toBe('CONTEXT_INSPECT_FORBIDDEN');
  });

  it('inspects the same run with its texts, and leaves no trace [inspect.guard]', async () => {
    type Inspected = {
      prompt: string;
      layers: Record<string, { text: string; tokens: number }>;
      stablePrefixHash: string;
      tokenCount: number;
    };
    const inspected = await desk.call<Inspected>('context:inspect', request());
    expect(await desk.store.receipts.list(project)).toEqual([]);
    const assembled = await assembleWith(desk.store);
    expect(assembled.stablePrefixUnchanged).toBe(false);
    expect(inspected.stablePrefixHash).toBe(assembled.stablePrefixHash);
    expect(inspected.tokenCount).toBe(assembled.tokenCount);
    expect(inspected.prompt).toBe(assembled.prompt);
    const layers = ['rules', 'settings', 'retrieved', 'immediate'].map(
      (id) => inspected.layers[id]?.text ?? '',
    );
    expect(unfenced(layers.join('\n\n'))).toBe(unfenced(assembled.prompt));
  });

  it('logs digests and counts, never text [logs.digest]', async () => {
    await assembleWith(desk.store, { additionalInput: '写雨' });
    expect(desk.log.length).toBeGreaterThan(0);
    expect(JSON.stringify(desk.log)).not.toMatch(/\p{Script=Han}/u);
  });

  it('refuses unknown fields and wrong types by name, everywhere [errors.closed]', async () => {
    const bad: [string, object][] = [
      ['context:assemble', { ...request(), colour: 'red' }],
      ['context:assemble', { ...request(), cursorPosition: -1 }],
      ['context:assemble', { ...request(), cursorPosition: 1.5 }],
      ['context:inspect', { projectId: project }],
      ['context:budget:get', {}],
      ['constraints:create', { projectId: project, text: '  ', kind: 'plot' }],
      ['documents:put', { projectId: project, documentId: '', text: '' }],
      ['entities:put', { projectId: project, name: '甲', description: '乙', inclusion: 'sometimes' }],
      ['memory:put', { projectId: project, kind: 'semantic', text: '丙', confidence: 2 }],
      ['receipts:diff', { projectId: project, from: 'a' }],
    ];
    for (const [id, input] of bad) {
      await expect(desk.call(id, input)).rejects.toMatchObject({
        code: 'INVALID_ARGUMENT',
        details: { field: expect.any(String) },
      });
    }
  });
});

describe('failure sweep', () => {
  it('survives the failure of any one call, with a warning or a declared refusal and nothing half-written [errors.closed]', async () => {
    const names: string[] = [];
    await assembleWith(
      watched(desk.store, (name) => void names.push(name)),
      { additionalInput: '第一次' },
    );
    expect(names.length).toBeGreaterThan(10);
    const declared = new Set<string>([...contextAssemble.errors, 'CANCELLED', 'INTERNAL']);
    const before = (await desk.store.receipts.list(project)).length;
    let stored = 0;
    for (const nth of sweepOver('calls to the store that fail', [...names.keys()], 12)) {
      let calls = 0;
      const store = watched(desk.store, () => {
        calls += 1;
        if (calls === nth + 1) throw broken();
      });
      const outcome = await assembleWith(store, { additionalInput: `第${nth}次` }).catch(
        (error: unknown) => error,
      );
      if (isGalleyError(outcome)) {
        expect(declared.has(outcome.code), `${names[nth]}: ${outcome.code}`).toBe(true);
        continue;
      }
      const { prompt, warnings, receiptId } = outcome as {
        prompt: string;
        warnings: string[];
        receiptId?: string;
      };
      expect(prompt, names[nth]).toContain(`第${nth}次`);
      expect(warnings.length, names[nth]).toBeGreaterThan(0);
      if (receiptId !== undefined) stored += 1;
      expect(await desk.refusal(assembleWith(desk.store))).toBe('accepted');
      stored += 1;
    }
    expect((await desk.store.receipts.list(project, { limit: 200 })).length - before).toBe(
      Math.min(stored, 200 - before),
    );
  });
});
