import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Model, ModelRequest } from '../../models/contract/model.js';
import { scriptedModel } from '../../testing/scripted-model.js';
import { type ReplayContext, replayPulls } from './replay-pulls.js';
import { replayRequest } from './replay-request.js';
import type { ReplayedPull } from './replay-result.js';
import { type PastRepository, pastRepository } from './testing/past-repository.js';

let past: PastRepository;
beforeEach(() => {
  past = pastRepository();
});
afterEach(() => past.dispose());

const noModel = () => Promise.reject(new TypeError('no model here'));

function replay(request: object = {}, context: Partial<ReplayContext> = {}) {
  return replayPulls(replayRequest.parse({ repo: past.folder, local: true, dryRun: true, ...request }), {
    ...{ folder: '/', signal: new AbortController().signal, model: noModel, ...context },
  });
}

const finding = (path: string, line: number) => ({
  ...{ path, side: 'new', startLine: line, endLine: line, severity: 'high', category: `at ${line}` },
  ...{ confidence: 0.9, title: `Wrong in ${path}:${line}`, message: 'It is wrong.', evidence: '' },
});
const answer = (...findings: object[]) => JSON.stringify({ findings });
/** Sees what is wrong where the code of the other file is shown. */
const seeing = ({ prompt }: ModelRequest) => {
  if (!prompt.includes('## src/total.ts')) return answer(finding('src/names.ts', 1));
  const said = [finding('src/total.ts', 1), finding('src/total.ts', 6)];
  return answer(...said, ...(prompt.includes('rates.get(region)!') ? [finding('src/rates.ts', 17)] : []));
};

describe('a replay without a model', () => {
  it.each([false, true])(
    'finds what had to be fixed later, where changes are squashed: %s',
    async (squash) => {
      past.dispose();
      past = pastRepository({ squash });
      const { source, pulls, total } = await replay();
      expect(source).toBe('history');
      expect(pulls.map(({ number, title, fixes, places }) => [number, title, fixes, places.fixes])).toEqual([
        [2, squash ? 'Names (#2)' : 'Names', 0, 0],
        [1, squash ? 'Totals with rates (#1)' : 'Totals with rates', 1, 2],
      ]);
      expect(pulls[1]?.head).toBe(past.head);
      // The place in the other file is seen only where the neighbour is shown.
      expect([pulls[1]?.withContext.shown, pulls[1]?.withoutContext.shown]).toEqual([2, 1]);
      expect(total).toMatchObject({
        ...{ pulls: 2, touched: 1, fixes: 1, places: { comments: 0, fixes: 2 } },
        ...{ withContext: { shown: 2 }, withoutContext: { shown: 1 } },
      });
      expect(total.withContext.inputTokens).toBeGreaterThan(total.withoutContext.inputTokens);
    },
  );

  it('takes as many as it is asked for, newest first, and prices them where a model is named', async () => {
    const { pulls, model } = await replay({ last: 1, model: 'anthropic/claude-sonnet-4-5' });
    expect(pulls.map(({ number }) => number)).toEqual([2]);
    expect(model).toBe('anthropic/claude-sonnet-4-5');
    expect(pulls[0]?.withContext.inputDollars).toBeGreaterThan(0);
    expect((await replay({ last: 1 })).pulls[0]?.withContext.inputDollars).toBeUndefined();
  });

  it('takes every commit as a change where nobody merges', async () => {
    past.git('checkout', '-q', '--orphan', 'plain');
    past.git('branch', '-q', '-D', 'main');
    past.commit('one');
    past.write('src/total.ts', 'export const total = 1;\n');
    past.commit('two');
    expect((await replay()).pulls.map(({ title }) => title)).toEqual(['two']);
  });

  it('says that it had no host to ask where it was not told to do without', async () => {
    expect((await replay({ local: false, last: 1 })).warnings.map(({ code }) => code)).toEqual([
      'REPLAY_FROM_HISTORY',
    ]);
    expect((await replay({ last: 1 })).warnings).toEqual([]);
  });
});

describe('a replay with a model', () => {
  it('counts findings on the lines that mattered, with context and without', async () => {
    const model = scriptedModel([async (request) => seeing(request)]);
    const seen: ReplayedPull[] = [];
    const { pulls, total } = await replay(
      { dryRun: false },
      { model: async () => model, onPull: (pull) => seen.push(pull) },
    );
    expect(seen).toEqual(pulls);
    expect(pulls[1]?.withContext.review).toMatchObject({ findings: 3, onPlaces: 2, placesFound: 2 });
    expect(pulls[1]?.withoutContext.review).toMatchObject({ findings: 2, onPlaces: 1, placesFound: 1 });
    expect(pulls[0]?.withContext.review).toMatchObject({ findings: 1, onPlaces: 0, placesFound: 0 });
    expect(total.withContext.review).toMatchObject({ findings: 4, onPlaces: 2, calls: 2 });
  });

  it('asks nothing twice: a second run is free and says the same', async () => {
    const model = scriptedModel([async (request) => seeing(request)]);
    const run = () => replay({ dryRun: false }, { model: async () => model });
    const first = await run();
    expect(model.requests).toHaveLength(4);
    const second = await run();
    expect(model.requests).toHaveLength(4);
    expect(second.total.withContext.review).toEqual({ ...first.total.withContext.review, calls: 0 });
  });

  it('goes on where it was interrupted', async () => {
    const stop = new AbortController();
    const model = scriptedModel([async (request) => seeing(request)]);
    const broken = replay(
      { dryRun: false },
      { model: async () => model, signal: stop.signal, onPull: () => stop.abort() },
    );
    await expect(broken).rejects.toMatchObject({ code: 'CANCELLED' });
    expect(model.requests).toHaveLength(2);
    expect((await replay({ dryRun: false }, { model: async () => model })).pulls).toHaveLength(2);
    expect(model.requests).toHaveLength(4);
  });

  it('keeps to one ceiling for all of it, and says what is left', async () => {
    let calls = 0;
    const priced: Model = {
      ...{ id: 'anthropic/claude-sonnet-4-5', family: 'http' },
      run: async (request) => {
        calls += 1;
        return { text: seeing(request), finish: 'stop', usage: { inputTokens: 1_000, outputTokens: 10_000 } };
      },
    };
    const ceiling = (maxCost: number) => replay({ dryRun: false, maxCost }, { model: async () => priced });
    // Each call costs about 15 cents.
    const { pulls, left, total } = await ceiling(0.35);
    expect([pulls.map(({ number }) => number), left, calls]).toEqual([[2], 1, 2]);
    expect(total.withContext.review?.dollars).toBeCloseTo(0.153, 3);
    const all = await ceiling(0.35);
    expect([all.pulls.map(({ number }) => number), all.left, calls]).toEqual([[2, 1], 0, 4]);
  });

  it('leaves out a change whose model fails, and ends where three in a row fail', async () => {
    const failing = scriptedModel(['', '', answer()]);
    const { pulls, skipped } = await replay({ dryRun: false }, { model: async () => failing });
    expect(skipped).toEqual([{ number: 2, head: expect.any(String), code: 'MODEL_ANSWER_INVALID' }]);
    expect(pulls.map(({ number }) => number)).toEqual([1]);
    past.write('src/names.ts', 'export const names = ["b"];\n');
    past.commit('Other names (#3)');
    const always = scriptedModel([''], 'test/always-failing');
    await expect(replay({ dryRun: false }, { model: async () => always })).rejects.toMatchObject({
      code: 'MODEL_ANSWER_INVALID',
    });
  });
});
