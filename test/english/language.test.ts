// The language of a prompt is the caller's to set: Chinese unless told, the same at assembly and inspection, told in the receipt.
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { isGalleyError } from '../../src/core/model/error.js';
import { loadMeter } from '../../src/meters/load-meter.js';
import { call } from '../../src/operations/call.js';
import { scriptedModel } from '../../src/testing/scripted-model.js';
import type { ContextAssembleResult } from '../../src/writing/context/context-result.js';
import type { ContextInspectResult } from '../../src/writing/context/inspect-context.js';
import type { Workshop } from '../skills/workshop.js';
import { sweepSize } from '../sweep-size.js';
import { secondChapter as documentId, openEnglishNovel } from './english-novel.js';

let workshop: Workshop;
beforeEach(async () => {
  workshop = await openEnglishNovel();
});
afterEach(() => workshop.close());

const scene = { projectId: 'novel', documentId, cursorPosition: 138, skillId: 'continue' };
const assemble = (change: object = {}) =>
  workshop.call<ContextAssembleResult>('context:assemble', { ...scene, ...change });

describe('the language of a prompt', () => {
  it('is Chinese unless told: "zh" is the same as nothing [assemble.api]', async () => {
    const skills = fc.constantFrom('', 'polish', 'condense', 'expand', 'dialogue', 'consistency', 'continue');
    await fc.assert(
      fc.asyncProperty(skills, fc.nat(300), fc.boolean(), async (skillId, start, selects) => {
        const place = selects ? { selection: { start, end: start + 20 } } : {};
        const request = { skillId, cursorPosition: start, layout: 'exact', ...place };
        const { receiptId: _, ...said } = await assemble({ ...request, language: 'zh' });
        const { receiptId: __, ...unsaid } = await assemble(request);
        expect(unsaid.prompt).toBe(said.prompt);
        expect({ ...unsaid.receipt, lane: said.receipt.lane }).toEqual(said.receipt);
        expect(said.receipt.dialect.id).toBe('layered-zh');
        if (skillId === '') return;
        const run = { skillId, documentId, cursorPosition: start, ...place };
        const [one, other] = [await workshop.dryRun({ ...run, language: 'zh' }), await workshop.dryRun(run)];
        expect({ ...other, runId: '' }).toEqual({ ...one, runId: '' });
      }),
      { numRuns: sweepSize('prompts with and without a language', { everyRun: 7, nightly: 200 }) },
    );
  });

  it.each(['context:assemble', 'context:inspect', 'ai:skill:run'])(
    'is refused by %s when there is no such [assemble.api]',
    async (id) => {
      const request = { ...scene, language: 'fr', ...(id === 'ai:skill:run' ? { dryRun: true } : {}) };
      const context = { ...workshop.context, debug: true };
      await expect(call(id, request, context)).rejects.toMatchObject({
        code: 'INVALID_ARGUMENT',
        details: { field: 'language' },
      });
    },
  );

  it('is the same where one looks and where one assembles', async () => {
    const shown = (await call(
      'context:inspect',
      { ...scene, language: 'en', later: 'marked' },
      { ...workshop.context, debug: true },
    )) as ContextInspectResult;
    const { prompt } = await assemble({ language: 'en', later: 'marked' });
    const texts = Object.values(shown.layers).map(({ text }) => text);
    expect(shown.prompt).toBe(prompt);
    expect(texts.join('')).toContain('— Chapter 3: The Tower — (from a later chapter)');
    expect(shown.layers.rules.items.map(({ text }) => text)).toContainEqual(
      expect.stringContaining('- Mara Quill (character; also Mara, Mar): Keeper of the ferry'),
    );
  });

  it('is a change like any other when it changes on a lane [prefix.hash]', async () => {
    const zh = await assemble();
    const en = await assemble({ language: 'en' });
    expect(en.stablePrefixUnchanged).toBe(false);
    expect(en.stablePrefixHash).not.toBe(zh.stablePrefixHash);
    expect(en.prefixChange).toEqual({ fragment: 'dialect:layered-en', reason: 'added' });
    const again = await assemble({ language: 'en' });
    expect([again.stablePrefixUnchanged, again.prefixChange]).toEqual([true, undefined]);
    expect(again.prompt).toBe(en.prompt);
    const back = await assemble({ language: 'zh' });
    expect(back.prefixChange).toEqual({ fragment: 'dialect:layered-en', reason: 'removed' });
    expect(back.stablePrefixHash).toBe(zh.stablePrefixHash);
  });

  it('leaves a skill of the project as it stands', async () => {
    await workshop.write(
      '.galley/skills/polish/SKILL.md',
      '---\nname: polish\ndescription: 润色\n---\n照我说的改。\n',
    );
    const { systemPrompt } = await workshop.dryRun({ skillId: 'polish', documentId, language: 'en' });
    expect(systemPrompt).toContain('[Your role]');
    expect(systemPrompt).toContain('[Your task - polish]\n照我说的改。');
  });

  it('is kept when a draft is written again', async () => {
    const writer = scriptedModel(['The rope was wet!', 'The rope was wet.']);
    const request = { ...scene, skillId: 'polish', model: 'writer', language: 'en' };
    await call('ai:skill:run', request, { ...workshop.context, model: async () => writer });
    expect(writer.requests).toHaveLength(2);
    const { system = '', prompt = '' } = writer.requests[1] ?? {};
    expect(prompt).toContain('The draft before broke these constraints');
    expect(prompt).toContain('- “!” ');
    expect(system + prompt).not.toMatch(/\p{sc=Han}/u);
  });
});

describe('prompts of either language', () => {
  it('fit their budget, account for every piece and keep what is pinned [budget.trim]', async () => {
    const meter = await loadMeter('o200k_base');
    const budget = await workshop.call<{ layers: object }>('context:budget:get', { projectId: 'novel' });
    const reasons = new Set<string>();
    for (const tokens of [130, 180, 240, 320, 400, 600]) {
      const layers = Object.fromEntries(
        Object.entries({ ...budget.layers }).map(([id, layer]) => [id, { ...(layer as object), floor: 0 }]),
      );
      await workshop.call('context:budget:update', {
        projectId: 'novel',
        ...(await workshop.call<object>('context:budget:get', { projectId: 'novel' })),
        window: tokens + 100,
        outputReserve: 100,
        layers,
      });
      for (const [language, layout] of [
        ['zh', 'exact'],
        ['en', 'exact'],
        ['zh', 'steady'],
        ['en', 'steady'],
      ]) {
        try {
          const result = await assemble({ skillId: '', language, layout });
          expect(meter.weigh(result.prompt)).toBeLessThanOrEqual(tokens);
          expect(result.prompt).toContain('1. No exclamation marks.');
          const ids = result.receipt.ledger.map(({ fragment }) => fragment);
          expect(new Set(ids).size).toBe(ids.length);
          for (const id of ['setting:style_guide', 'memory:m1', 'summary:s1', 'text:cursor'])
            expect(ids).toContain(id);
          for (const { verdict } of result.receipt.ledger) reasons.add(verdict);
        } catch (error) {
          if (!isGalleyError(error) || error.code !== 'CONTEXT_BUDGET_INFEASIBLE') throw error;
        }
      }
    }
    expect(reasons).toContain('conceded');
  });
});
