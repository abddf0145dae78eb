// Stable Prefix Hash: what is compared with what, and how a steady prompt is laid out.
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { ContextAssembleResult } from '../../src/writing/context/context-result.js';
import { type Desk, giveBudget, openDesk, project } from './desk.js';
import { prose } from './prose.js';

let desk: Desk;
beforeEach(async () => {
  desk = await openDesk();
  await desk.call('constraints:create', { projectId: project, text: '严格第一人称叙述', kind: 'narrative' });
  await desk.call('memory:put', {
    projectId: project,
    kind: 'semantic',
    text: '动作场景偏好短句',
    confidence: 0.8,
  });
});
afterEach(() => desk.close());

describe('Requirement: Stable Prefix Hash', () => {
  it('Scenario: 连续续写——Stable Prefix 命中缓存 [scenarios.002]', async () => {
    let text = await prose(300);
    const results: ContextAssembleResult[] = [];
    for (let turn = 0; turn < 3; turn += 1) {
      results.push(await desk.assemble({ text }));
      text += await prose(60, turn + 1);
    }
    expect(results.map(({ stablePrefixUnchanged }) => stablePrefixUnchanged)).toEqual([false, true, true]);
    expect(new Set(results.map(({ stablePrefixHash }) => stablePrefixHash)).size).toBe(1);
    expect(results[0]?.stablePrefixHash).toMatch(/^[0-9a-f]{64}$/);
    expect(results[1]?.prefixChange).toBeUndefined();
    // The physical prefix is the same, too: everything up to the old cursor.
    const shared = (results[0]?.prompt ?? '').split('【光标】')[0] ?? '';
    expect(results[1]?.prompt.startsWith(shared)).toBe(true);
    const at = (index: number) => results[index]?.cache.breakpoints[0];
    expect(at(1)).toEqual(at(0));
  });

  it('Scenario: Settings 变更导致缓存失效 [scenarios.002]', async () => {
    const learned = await desk.call<{ id: string }>('memory:put', {
      projectId: project,
      kind: 'semantic',
      text: '对话不用感叹号',
      origin: 'learned',
    });
    const first = await desk.assemble({ text: '夜。' });
    expect(first.prompt).not.toContain('对话不用感叹号');
    await desk.call('memory:confirm', { projectId: project, id: learned.id });
    const second = await desk.assemble({ text: '夜。' });
    expect(second.prompt).toContain('对话不用感叹号');
    expect(second.stablePrefixHash).not.toBe(first.stablePrefixHash);
    expect(second.stablePrefixUnchanged).toBe(false);
    expect(second.prefixChange).toEqual({ fragment: `memory:${learned.id}`, reason: 'added' });
    expect((await desk.assemble({ text: '夜。' })).stablePrefixUnchanged).toBe(true);
  });

  it('has a line for everything that was gathered, also when the prompt is kept like the one before', async () => {
    for (let number = 2; number < 8; number += 1) {
      const text = await prose(400, number);
      await desk.call('documents:put', {
        projectId: project,
        documentId: `第${number}章`,
        title: `${number}`,
        text,
      });
    }
    await giveBudget(desk, 3_500);
    const text = await prose(5_000);
    const literal = await desk.assemble({ text, layout: 'exact', skillId: '' });
    const ids = (result: ContextAssembleResult, layer: string) =>
      result.receipt.ledger.filter((line) => line.layer === layer).map(({ fragment }) => fragment);
    for (let turn = 0; turn < 3; turn += 1) {
      const steady = await desk.assemble({ text, skillId: '' });
      expect(steady.receipt.ledger.length).toBeGreaterThanOrEqual(literal.receipt.ledger.length);
      expect(new Set(ids(steady, 'retrieved'))).toEqual(new Set(ids(literal, 'retrieved')));
      expect(steady.layers.immediate.truncated).toBe(true);
      for (const { id, kept, left } of steady.receipt.layers)
        expect([id, kept + left]).toEqual([id, ids(steady, id).length]);
      const { made, offered } = steady.receipt.concessions;
      const withheld = steady.receipt.ledger.filter(({ verdict }) => verdict === 'withheld');
      expect(made + withheld.length).toBeGreaterThan(0);
      expect(made).toBeLessThanOrEqual(offered);
    }
  });

  it('says that the beginning of a very long chapter was not read', async () => {
    const text = '他慢慢走过长街，灯火照着石板。\n\n'.repeat(8_000);
    const result = await desk.assemble({ text, skillId: '' });
    expect(result.layers.immediate.truncated).toBe(true);
    expect(result.receipt.ledger).toContainEqual(
      expect.objectContaining({ fragment: 'text:before:0', verdict: 'over-limit' }),
    );
    expect((await desk.assemble({ text: '夜。' })).layers.immediate.truncated).toBe(false);
  });

  it('compares with the request before of the same project, skill and model [prefix.hash]', async () => {
    const unchanged = async (request: object) =>
      (await desk.assemble({ text: '夜。', ...request })).stablePrefixUnchanged;
    expect(await unchanged({})).toBe(false);
    expect(await unchanged({})).toBe(true);
    expect(await unchanged({ model: 'gpt-4o' })).toBe(false);
    expect(await unchanged({ skillId: 'polish' })).toBe(false);
    expect(await unchanged({ projectId: '别处' })).toBe(false);
    expect(await unchanged({ documentId: '另一章' })).toBe(true);
  });

  it('gives equal hashes for equal content, whenever and under whichever ids it was written [prefix.hash]', async () => {
    const first = await desk.assemble({ text: '夜。' });
    const other = await openDesk();
    try {
      await other.call('memory:put', { projectId: project, kind: 'working', text: '无关' });
      await other.call('memory:put', {
        projectId: project,
        kind: 'semantic',
        text: '动作场景偏好短句',
        confidence: 0.3,
      });
      await other.call('constraints:create', {
        projectId: project,
        text: '严格第一人称叙述',
        kind: 'narrative',
      });
      expect((await other.assemble({ text: '日。' })).stablePrefixHash).toBe(first.stablePrefixHash);
    } finally {
      await other.close();
    }
  });

  it('covers entities chosen by relevance although they stand behind the boundary [prefix.hash]', async () => {
    await desk.call('entities:put', {
      projectId: project,
      name: '沈青',
      description: '老板',
      inclusion: 'detected',
    });
    const without = await desk.assemble({ text: '夜。' });
    const named = await desk.assemble({ text: '沈青来了。' });
    expect(named.stablePrefixHash).not.toBe(without.stablePrefixHash);
    expect(named.layers.rules.tokens).toBeGreaterThan(without.layers.rules.tokens);
    expect(named.prompt.indexOf('动作场景偏好短句')).toBeLessThan(named.prompt.indexOf('沈青：老板'));
    expect(named.cache.breakpoints[0]).toEqual(without.cache.breakpoints[0]);
  });

  it('fingerprints cover the model and the system text, and small prefixes are not called cacheable [prefix.hash]', async () => {
    const small = await desk.assemble({ text: '夜。\n风。' });
    const model = await desk.assemble({ text: '夜。\n风。', model: 'gpt-4o' });
    const skill = await desk.assemble({ text: '夜。\n风。', skillId: '' });
    const fingerprints = [small, model, skill].map(({ cache }) => cache.breakpoints[0]?.fingerprint);
    expect(new Set(fingerprints).size).toBe(3);
    expect(small.cache.cacheable).toBe(false);
    const text = `${await prose(1_500)}\n夜。`;
    expect((await desk.assemble({ text, model: 'gpt-4o' })).cache.cacheable).toBe(true);
    const claude = await desk.assemble({ text, model: 'claude-opus-4-5' });
    expect(claude.cache).toMatchObject({ cacheable: false, minimumTokens: 4_096, provider: 'anthropic' });
    expect(claude.cache.breakpoints.length).toBeLessThanOrEqual(4);
  });
});

describe('the memory of the prompt before', () => {
  const grow = async (turns: number, request: object = {}) => {
    let text = await prose(3_500);
    const results: ContextAssembleResult[] = [];
    for (let turn = 0; turn < turns; turn += 1) {
      results.push(await desk.assemble({ text, skillId: '', ...request }));
      text += await prose(70, turn + 2);
    }
    return results;
  };
  const startsOf = (results: readonly { prompt: string }[]) =>
    results.map(({ prompt }) => prompt.slice(prompt.indexOf('[当前章节]')).slice(7, 40));

  it('starts the text at the same place until it no longer fits, then hops [prefix.friendly]', async () => {
    await giveBudget(desk, 3_000);
    const results = await grow(14);
    const starts = startsOf(results);
    expect(results[0]?.receipt.lane).toMatchObject({ used: false });
    expect(results[2]?.receipt.lane.used).toBe(true);
    expect(results[2]?.receipt.lane.digest).toMatch(/^[0-9a-f]{16}$/);
    expect(new Set(starts.slice(2)).size).toBeLessThanOrEqual(3);
    for (const { tokenCount } of results) expect(tokenCount).toBeLessThanOrEqual(3_000);
  });

  it('gives the first request and the exact layout the literal result [prefix.friendly]', async () => {
    await giveBudget(desk, 3_000);
    const exact = await grow(4, { layout: 'exact' });
    expect(new Set(startsOf(exact)).size).toBe(4);
    expect(exact.every(({ receipt }) => !receipt.lane.used)).toBe(true);
    const other = await openDesk();
    try {
      await giveBudget(other, 3_000);
      const text = await prose(3_500);
      const steady = await other.assemble({ text, skillId: '' });
      const third = await openDesk();
      try {
        await giveBudget(third, 3_000);
        expect((await third.assemble({ text, skillId: '', layout: 'exact' })).prompt).toBe(steady.prompt);
      } finally {
        await third.close();
      }
    } finally {
      await other.close();
    }
  });

  it('has no say when everything fits [prefix.friendly]', async () => {
    const results = await grow(3);
    expect(results.every(({ receipt }) => !receipt.lane.used && receipt.concessions.made === 0)).toBe(true);
  });

  it('keeps passages it has shown, in the order of their arrival [prefix.friendly]', async () => {
    for (let index = 0; index < 12; index += 1) {
      const words = index % 2 === 0 ? '琥珀钟表' : '银杏信笺';
      const text = await prose(180, index, words);
      await desk.call('documents:put', { projectId: project, documentId: `旧${index}`, text });
    }
    await giveBudget(desk, 3_200);
    const base = await prose(2_000, 30);
    const shown = async (tail: string, request: object = {}) => {
      const { receipt } = await desk.assemble({ text: base + tail, skillId: '', refill: false, ...request });
      const spans = receipt.pages[0]?.parts.flatMap((part) => part.spans) ?? [];
      return spans.map(({ fragment }) => fragment).filter((id) => id.startsWith('chunk:'));
    };
    const first = await shown('琥珀钟表，银杏。');
    const second = await shown('琥珀钟表，银杏信。');
    const literal = await shown('琥珀钟表，银杏信。', { layout: 'exact' });
    expect(first.length).toBeGreaterThan(2);
    const stayed = second.filter((id) => first.includes(id));
    expect(stayed).toEqual(first.filter((id) => second.includes(id)));
    expect(second.slice(0, stayed.length)).toEqual(stayed);
    expect(stayed.length).toBeGreaterThanOrEqual(literal.filter((id) => first.includes(id)).length);
  });

  it('shows nothing outdated: a changed setting and an edited document take effect at once [prefix.friendly]', async () => {
    for (let index = 0; index < 8; index += 1) {
      const text = await prose(180, index, '琥珀钟表');
      await desk.call('documents:put', { projectId: project, documentId: `旧${index}`, text });
    }
    const note = { projectId: project, kind: 'semantic', id: '偏好' };
    await desk.call('memory:put', { ...note, text: '对话不用感叹号' });
    await giveBudget(desk, 3_200);
    const base = await prose(2_000, 30);
    const ask = (tail: string) => desk.assemble({ text: base + tail, skillId: '' });
    const shownIn = ({ receipt }: ContextAssembleResult) =>
      (receipt.pages[0]?.parts.flatMap((part) => part.spans) ?? [])
        .map(({ fragment }) => fragment)
        .filter((id) => id.startsWith('chunk:'));
    await ask('琥珀钟表。');
    const second = await ask('琥珀钟表。夜。');
    expect(second.receipt.lane.used).toBe(true);
    const [shown] = shownIn(second);
    expect(shown).toBeDefined();
    const documentId = shown?.slice('chunk:'.length, shown.lastIndexOf('#'));
    await desk.call('documents:put', { projectId: project, documentId, text: '白茫茫一片。' });
    await desk.call('memory:put', { ...note, text: '对话多用感叹号' });
    const third = await ask('琥珀钟表。夜。雨。');
    expect(third.receipt.lane.used).toBe(true);
    expect(third.prompt).toContain('对话多用感叹号');
    expect(third.prompt).not.toContain('对话不用感叹号');
    expect(shownIn(third)).not.toContain(shown);
  });

  it('reads at a breakpoint where the request before wrote one [prefix.friendly]', async () => {
    await giveBudget(desk, 3_000);
    const results = await grow(6);
    const written = (index: number) => {
      const { prompt = '', cache } = results[index] ?? {};
      return (cache?.breakpoints ?? []).map(({ offset }) => Buffer.from(prompt).toString('utf8', 0, offset));
    };
    const read = [2, 3, 4, 5].filter((index) => {
      const last = written(index - 1).at(-1);
      return last !== undefined && written(index).includes(last);
    });
    expect(read.length).toBeGreaterThanOrEqual(2);
    for (const { cache } of results) expect(cache.breakpoints.length).toBeLessThanOrEqual(4);
  });
});
