// A review over the wire: the real SDKs against the loopback, in every protocol.
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { countTokens } from '../../src/models/contract/count-tokens.js';
import type { Model } from '../../src/models/contract/model.js';
import { httpModel } from '../../src/models/http/http-model.js';
import { connectionTo } from '../../src/models/testing/http-stage.js';
import { type Failure, type Loopback, openLoopback } from '../../src/testing/loopback/open-loopback.js';
import { findingOn, manyPages, onePerPage, type ReviewGround, reviewGround } from './review-ground.js';

const names = [
  'anthropic/claude-sonnet-4-5',
  'openai/gpt-4o',
  'google/gemini-2.5-flash',
  'deepseek/deepseek-chat',
];
const rules = Array.from(
  { length: 300 },
  (_, at) => `- Rule ${at}: 名称要清楚, and names stay short.\n`,
).join('');
let ground: ReviewGround;
let loopback: Loopback;
beforeAll(async () => {
  loopback = await openLoopback();
  ground = reviewGround(manyPages(4), (repository) => repository.write('CLAUDE.md', rules));
});
afterEach(() => {
  loopback.play(undefined);
  loopback.forgetCalls();
  loopback.forgetCache();
});
afterAll(async () => {
  await loopback.close();
  ground.repository.dispose();
});

function modelOf(name: string): Model {
  const { connection, model } = connectionTo(loopback.url, name);
  return httpModel(connection, model, {
    count: countTokens,
    random: () => 0.5,
    sleep: async () => {},
  });
}
const wish = { ...onePerPage, fresh: true, concurrency: 2 };
const says = (body: Buffer) => {
  const path = /## (src\/file-\d{4}\.ts)/.exec(body.toString('utf8'))?.[1] ?? '';
  return { json: { findings: [findingOn(path)] } };
};

describe.each(names)('a review by %s', (name) => {
  it('reports findings, cost, and cached tokens within 2 % of what was foreseen [prefix.used]', async () => {
    loopback.play(({ bytes }) => says(bytes));
    const result = await ground.run(modelOf(name), wish);
    expect(result).toMatchObject({ complete: true, missing: [] });
    expect(result.findings).toHaveLength(4);
    expect(loopback.calls).toHaveLength(4);
    const [first, ...rest] = result.runs;
    expect(first?.reported?.cachedInputTokens ?? 0).toBe(0);
    for (const { foreseen, reported, cost } of rest) {
      const read = reported?.cachedInputTokens ?? 0;
      expect(read).toBeGreaterThan(1024);
      expect(Math.abs(foreseen.cachedInputTokens / read - 1)).toBeLessThan(0.02);
      expect(cost?.dollars).toBeGreaterThan(0);
    }
    // The form of the answer is weighed before it is sent; not every provider counts it.
    expect(result.spent.dollars).toBeGreaterThan(0.92 * (result.estimate.dollars ?? 0));
    const before = result.estimate.cachedInputTokens / result.spent.cachedInputTokens;
    expect(Math.abs(before - 1)).toBeLessThan(0.05);
  });

  it('reads a conversation from the cache, and foresees it [prefix.used] [review.asks]', async () => {
    const requests = [{ type: 'search', unit: '', details: 'project' }];
    loopback.play(({ bytes }) => {
      const { json } = says(bytes);
      return bytes.includes('What you asked for, as far as') ? { json } : { json: { ...json, requests } };
    });
    const result = await ground.run(modelOf(name), wish);
    const next = result.runs.filter(({ kind }) => kind === 'review-page-follow-up');
    expect(next).toHaveLength(4);
    for (const { foreseen, reported } of next) {
      const read = reported?.cachedInputTokens ?? 0;
      expect(read).toBeGreaterThan(4_000);
      expect(Math.abs(foreseen.cachedInputTokens / read - 1)).toBeLessThan(0.06);
    }
  });

  it('keeps the text on the wire as the dry run shows it', async () => {
    loopback.play({ json: { findings: [] } });
    await ground.run(modelOf(name), wish);
    const shown = await ground.dryRun({ ...onePerPage, model: name });
    const sent = loopback.calls.map(({ body }) => stringsIn(body)).sort();
    shown.pages.forEach(({ prompt }) => {
      const own = prompt.slice(prompt.indexOf('===== BEGIN'));
      expect(sent.filter((text) => text.includes(own))).toHaveLength(1);
    });
    expect(sent.every((text) => text.includes(shown.system))).toBe(true);
  });
});

/** Every string of a body, in one text: a prompt may stand in several blocks. */
function stringsIn(body: unknown): string {
  const found: string[] = [];
  JSON.parse(JSON.stringify(body), (name, value) => {
    if (typeof value === 'string' && name !== 'type') found.push(value);
    return value;
  });
  return found.join('');
}

describe('failures on the wire', () => {
  const name = 'anthropic/claude-sonnet-4-5';
  const isFourth = (bytes: Buffer) => bytes.toString('utf8').includes('## src/file-0004');

  it.each<[string, Failure, string]>([
    ['a server error', { kind: 'status', status: 500 }, 'MODEL_UNAVAILABLE'],
    ['an overload', { kind: 'status', status: 529 }, 'MODEL_UNAVAILABLE'],
    ['a rate limit', { kind: 'status', status: 429, retryAfterMs: 1 }, 'MODEL_UNAVAILABLE'],
    ['a refused request', { kind: 'status', status: 400 }, 'MODEL_REFUSED'],
    ['a connection that is gone', { kind: 'reset' }, 'MODEL_UNAVAILABLE'],
    ['a stream that is cut', { kind: 'cut', at: 'mid-event' }, 'MODEL_UNAVAILABLE'],
    ['prose', { kind: 'prose' }, 'MODEL_ANSWER_INVALID'],
    ['an empty answer', { kind: 'empty' }, 'MODEL_ANSWER_INVALID'],
  ])('%s, again and again, costs its page and no other', async (_, failure, code) => {
    loopback.play(
      ({ bytes }) => says(bytes),
      ({ bytes }) => (isFourth(bytes) ? failure : undefined),
    );
    const result = await ground.run(modelOf(name), wish);
    expect(result.findings).toHaveLength(3);
    expect(result.missing).toMatchObject([{ status: 'failed', code, files: ['src/file-0004.ts'] }]);
  });

  it.each<[string, Failure]>([
    ['half a JSON', { kind: 'half-json' }],
    ['another form', { kind: 'wrong-schema' }],
    ['prose', { kind: 'prose' }],
  ])('%s once is asked for again', async (_, failure) => {
    let failed = 0;
    loopback.play(
      ({ bytes }) => says(bytes),
      ({ bytes }) => {
        if (!isFourth(bytes) || failed > 0) return undefined;
        failed += 1;
        return failure;
      },
    );
    const result = await ground.run(modelOf(name), wish);
    expect(result.complete).toBe(true);
    expect(loopback.calls).toHaveLength(5);
  });

  it('an endpoint that is down refuses the review', async () => {
    await loopback.down();
    try {
      await expect(ground.run(modelOf(name), wish)).rejects.toMatchObject({ code: 'MODEL_UNAVAILABLE' });
    } finally {
      await loopback.up();
    }
  });

  it('a refused key refuses the review', async () => {
    loopback.play({ kind: 'status', status: 401 });
    await expect(ground.run(modelOf(name), wish)).rejects.toMatchObject({
      code: expect.stringMatching(/^MODEL_(REFUSED|NOT_CONFIGURED)$/),
    });
  });

  it('a ceiling stops before it is passed, and what was reviewed stands', async () => {
    loopback.play(({ bytes }) => says(bytes));
    const model = modelOf(name);
    const whole = await ground.run(model, { ...wish, maxOutputTokens: 200 });
    const maxCost = (whole.spent.dollars ?? 0) * 0.9;
    const some = await ground.run(model, { ...wish, maxOutputTokens: 200, maxCost });
    expect(some.complete).toBe(false);
    expect(some.missing.map(({ code }) => code)).toContain('COST_CEILING_REACHED');
    expect(some.findings.length).toBeGreaterThan(0);
    expect(some.spent.dollars).toBeLessThanOrEqual(maxCost);
    await expect(ground.run(model, { ...wish, maxCost: 0.000_001 })).rejects.toMatchObject({
      code: 'COST_CEILING_REACHED',
    });
  });

  it('a ceiling for a model without a price is refused before anything is sent', async () => {
    await expect(ground.run(modelOf('openrouter/some/model'), { ...wish, maxCost: 1 })).rejects.toMatchObject(
      {
        code: 'CONFIG_INVALID',
      },
    );
    expect(loopback.calls).toHaveLength(0);
  });
});
