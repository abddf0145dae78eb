import { describe, expect, it } from 'vitest';
import { scriptedModel } from '../../testing/scripted-model.js';
import { countTokens } from '../contract/count-tokens.js';
import type { Model, ModelRequest, RunOptions } from '../contract/model.js';
import { httpStage } from '../testing/http-stage.js';
import { createForesight } from './foresight.js';
import { runOnRecord } from './run-on-record.js';

async function stage(name: string, count: (text: string) => number | Promise<number> = countTokens) {
  const clock = { now: 0 };
  const { model } = await httpStage(name, undefined, { clock: () => clock.now });
  const foresight = createForesight(model, { count, now: () => clock.now });
  const run = async (request: Omit<ModelRequest, 'timeouts'>) => {
    const timeouts = { firstByteMs: 30_000, totalMs: 30_000 };
    const options = { signal: new AbortController().signal };
    const { record } = await runOnRecord({ ...request, timeouts }, options, {
      model,
      foresight,
      kind: 'skill',
      receipt: 'r',
    });
    return record;
  };
  return { run, clock };
}

const bytes = (text: string) => Buffer.byteLength(text);
const instructions = 'You review changes. Be exact. 只报告真实的问题。\n'.repeat(60);
const rules = Array.from(
  { length: 120 },
  (_, index) => `Rule ${index}: 名称要清楚, and names stay short.\n`,
).join('');
const diff = (page: number) =>
  Array.from(
    { length: 300 },
    (_, line) => `+  const value${page}_${line} = compute(${line * page}); // 第${line}行\n`,
  ).join('');

/** A page of a review: instructions, rules for all pages, then what is its own. */
const page = (number: number) => ({
  system: instructions,
  prompt: `${rules}${diff(number)}`,
  cachePoints: { system: [bytes(instructions)], prompt: [bytes(rules)] },
});

const settings = Array.from(
  { length: 150 },
  (_, index) => `人物${index}：沉默寡言，住在河边的第${index}间屋子。\n`,
).join('');
const story = Array.from({ length: 80 }, (_, index) => `第${index}段。雨一直下，他没有回头。\n`).join('');

/** Runs of a skill while the writer goes on: rules and settings stay, the text grows at its end. */
const skillRun = (turn: number) => {
  const text = story + '又写了一段新的文字。\n'.repeat(turn * 7);
  const prompt = `${settings}${text}\n续写。`;
  return {
    system: rules,
    prompt,
    cachePoints: { system: [bytes(rules)], prompt: [bytes(settings), bytes(settings + text)] },
  };
};

const models = [
  'anthropic/claude-sonnet-4-5',
  'openai/gpt-4o',
  'google/gemini-2.5-flash',
  'deepseek/deepseek-chat',
  'vllm/qwen3',
];
const counts: [string, (text: string) => Promise<number>][] = [
  ['the same tokenizer', countTokens],
  ['an estimate a third too high', async (text) => Math.ceil((await countTokens(text)) * 1.33)],
];

describe('cached tokens are foreseen', () => {
  for (const name of models)
    for (const [kind, count] of counts)
      it(`within 2 % for review pages and skill runs: ${name}, ${kind} [prefix.used]`, async () => {
        const { run } = await stage(name, count);
        for (const [lane, requests] of [
          ['pages', [page(1), page(2), page(3)]],
          ['runs', [0, 1, 2, 3, 4].map(skillRun)],
        ] as const) {
          const records = [];
          for (const request of requests) records.push(await run(request));
          const [first, ...rest] = records;
          expect(first?.foreseen.cachedInputTokens, lane).toBe(0);
          for (const { foreseen, reported } of rest) {
            expect(reported?.cachedInputTokens, lane).toBeGreaterThan(1024);
            const off = Math.abs(foreseen.cachedInputTokens / reported!.cachedInputTokens! - 1);
            expect(off, `${lane} ${JSON.stringify({ foreseen, reported })}`).toBeLessThan(0.02);
            expect(Math.abs(foreseen.inputTokens / reported!.inputTokens - 1), lane).toBeLessThan(0.02);
          }
        }
      });

  it('as none once the provider has forgotten, or when something stands before them', async () => {
    const { run, clock } = await stage('anthropic/claude-sonnet-4-5');
    await run(page(1));
    clock.now += 4 * 60_000;
    expect((await run(page(2))).foreseen.cachedInputTokens).toBeGreaterThan(0);
    clock.now += 6 * 60_000;
    const late = await run(page(3));
    expect(late).toMatchObject({ foreseen: { cachedInputTokens: 0 }, reported: { cachedInputTokens: 0 } });
    const other = { ...page(4), system: `Today is Monday.\n${instructions}` };
    expect(await run(other)).toMatchObject({
      foreseen: { cachedInputTokens: 0 },
      reported: { cachedInputTokens: 0 },
    });
  });

  it('as none below what the provider keeps', async () => {
    for (const name of ['anthropic/claude-opus-4-5', 'openai/gpt-4o', 'google/gemini-2.5-pro']) {
      const { run } = await stage(name);
      const small = {
        system: instructions.slice(0, 900),
        prompt: 'go on',
        cachePoints: { system: [100, 600] },
      };
      await run(small);
      expect(await run(small), name).toMatchObject({
        foreseen: { cachedInputTokens: 0 },
        reported: { cachedInputTokens: 0 },
      });
    }
  });

  it('only from the first words of an earlier answer on', async () => {
    const foresight = createForesight(
      { ...scriptedModel([]), id: 'anthropic/claude-sonnet-4-5', family: 'http' },
      { count: countTokens },
    );
    const request = { ...page(1), timeouts: { firstByteMs: 1, totalMs: 1 } };
    const first = await foresight.foresee(request);
    expect((await foresight.foresee(request)).foreseen.cachedInputTokens).toBe(0);
    first.begun();
    expect((await foresight.foresee(request)).foreseen.cachedInputTokens).toBeGreaterThan(1024);
  });

  it('for a page that is sent while the first one is still being answered', async () => {
    let go = () => {};
    const slow = new Promise<void>((resolve) => {
      go = resolve;
    });
    const begins = async (_: ModelRequest, { onText }: RunOptions) => {
      onText?.('begun');
      await slow;
      return 'begun and done';
    };
    const model: Model = {
      ...scriptedModel([begins, 'second']),
      id: 'anthropic/claude-sonnet-4-5',
      family: 'http',
    };
    const foresight = createForesight(model, { count: countTokens });
    const options = { signal: new AbortController().signal };
    const timeouts = { firstByteMs: 1, totalMs: 1 };
    const first = runOnRecord({ ...page(1), timeouts }, options, {
      model,
      foresight,
      kind: 'skill',
      receipt: 'r',
    });
    await expect
      .poll(async () => (await foresight.foresee({ ...page(2), timeouts })).foreseen.cachedInputTokens)
      .toBeGreaterThan(1024);
    go();
    expect((await first).record.foreseen.cachedInputTokens).toBe(0);
  });

  it('as none for models whose cache is not ours to know', async () => {
    const foresight = createForesight(scriptedModel(['x']), { count: countTokens });
    const request = { ...page(1), timeouts: { firstByteMs: 1, totalMs: 1 } };
    (await foresight.foresee(request)).answered({ text: 'x', finish: 'stop' });
    expect((await foresight.foresee(request)).foreseen.cachedInputTokens).toBe(0);
  });
});

describe('the record of a run', () => {
  it('holds what was foreseen, what was reported and what it cost, and no text', async () => {
    const { run } = await stage('anthropic/claude-sonnet-4-5');
    const record = await run(page(1));
    expect(record).toMatchObject({
      model: 'anthropic/claude-sonnet-4-5',
      attempts: 1,
      reported: { cachedInputTokens: 0, cacheWriteTokens: expect.any(Number) },
      cost: { prices: expect.any(String) },
    });
    const { inputTokens, outputTokens, cacheWriteTokens = 0 } = record.reported!;
    const dollars =
      ((inputTokens - cacheWriteTokens) * 3 + cacheWriteTokens * 3.75 + outputTokens * 15) / 1e6;
    expect(record.cost?.dollars).toBeCloseTo(dollars, 9);
    expect(JSON.stringify(record)).not.toContain('review');
  });
});
