// Models that answer in every way but the right one, and calls that end in every way: what is finished stays, what is not is said.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type ErrorCode, GalleyError } from '../../src/core/model/error.js';
import { reviewRunRequest } from '../../src/review/run/run-request.js';
import { runReview } from '../../src/review/run/run-review.js';
import { type Line, scriptedModel } from '../../src/testing/scripted-model.js';
import {
  answerWith,
  countingModel,
  findingOn,
  pathOf,
  type ReviewGround,
  reviewGround,
} from './review-ground.js';

let ground: ReviewGround;
beforeAll(() => {
  ground = reviewGround((repository) => {
    repository.write('src/a.ts', 'export const a = 1;\nexport const b = 2;\n');
    repository.write('src/z.ts', 'export const z = 1;\n');
  });
});
afterAll(() => ground.repository.dispose());

const review = (lines: Line[], request: object = {}) => {
  const model = scriptedModel(lines);
  return ground.run(model, { fresh: true, ...request }).then((result) => ({ result, model }));
};
const good = answerWith(findingOn('src/a.ts'));

describe('what a model answers', () => {
  it.each<[string, Line]>([
    ['prose around the JSON', `Here is what I found.\n\n\`\`\`json\n${good}\n\`\`\`\nHave a nice day.`],
    [
      'fields of other names',
      '{"issues":[{"file":"src/a.ts","line":1,"priority":"major","description":"Wrong."}]}',
    ],
    ['reasoning first', `<think>Hm, {"findings": [}</think>${good}`],
  ])('is read from %s at once', async (_, line) => {
    const { result, model } = await review([line]);
    expect(model.requests).toHaveLength(1);
    expect(result.findings).toHaveLength(1);
    expect(result.complete).toBe(true);
  });

  it.each<[string, Line, RegExp]>([
    ['nothing', '', /it was empty/],
    ['blank lines', ' \n\n', /it was empty/],
    ['prose', 'I think this is fine, well done everybody!', /no JSON object/],
    ['an empty object', '{}', /no JSON object/],
    ['half a JSON', good.slice(0, -30), /ended in the middle/],
    ['an answer cut at its limit', { text: good, finish: 'length' }, /ended in the middle/],
    ['10 MB of noise', 'spam '.repeat(2_000_000), /no JSON object/],
    ['10 MB of brackets', '[{"a":['.repeat(1_500_000), /ended in the middle|no JSON object/],
  ])(
    'is asked for again when it is %s, with the fault named and the prefix untouched',
    async (_, line, fault) => {
      const { result, model } = await review([line, good]);
      expect(model.requests).toHaveLength(2);
      const [first, second] = model.requests;
      expect(second?.system).toBe(first?.system);
      expect(second?.prompt.startsWith(first?.prompt ?? '-')).toBe(true);
      expect(second?.prompt.slice(first?.prompt.length)).toMatch(fault);
      expect(result).toMatchObject({ complete: true, spent: { calls: 2 } });
      expect(result.findings).toHaveLength(1);
      expect(result.runs.map(({ kind }) => kind)).toEqual(['review-page', 'review-page-again']);
      expect(result.runs[1]?.receipt).not.toBe(result.runs[0]?.receipt);
    },
  );

  it.each([
    ['', 'prose'],
    ['prose', ''],
    ['{}', '[1, 2]'],
  ])('fails the page when neither %j nor %j can be read', async (...lines) => {
    await expect(review([...lines])).rejects.toMatchObject({
      code: 'MODEL_ANSWER_INVALID',
      message: expect.stringContaining('No page of 1 was reviewed'),
    });
  });

  it('keeps the findings of an answer that ends early twice, and does not call the review complete', async () => {
    const cut = answerWith(findingOn('src/a.ts'), findingOn('src/z.ts')).slice(0, -30);
    const result = await ground.run(scriptedModel([cut], 'test/cut'));
    expect(result.findings.map(({ finding }) => finding.path)).toEqual(['src/a.ts']);
    expect(result).toMatchObject({ complete: false, missing: [{ page: 1, status: 'partial' }] });
    expect(result.coverage).toContain('On 1 page the answer ended early.');
    const again = scriptedModel([good], 'test/cut');
    await ground.run(again);
    expect(again.requests).toHaveLength(1);
  });

  it('puts remarks on files of another change into the summary, and drops paths outside the project', async () => {
    const { result } = await review([
      answerWith(
        findingOn('src/elsewhere.ts'),
        findingOn('../../etc/passwd'),
        findingOn('/etc/passwd'),
        findingOn('b/src/a.ts'),
        findingOn('src/a.ts', { startLine: 900, endLine: 901, category: 'style' }),
      ),
    ]);
    const places = result.findings.map(({ finding, place }) => [finding.path, place.kind]);
    expect(places).toContainEqual(['src/elsewhere.ts', 'summary']);
    expect(places).toContainEqual(['src/a.ts', 'anchored']);
    expect(places).toContainEqual(['src/a.ts', 'summary']);
    expect(places.flat().join()).not.toContain('passwd/..');
    expect(result.findings.every(({ finding }) => !finding.path.startsWith('..'))).toBe(true);
    expect(result.warnings.map(({ code }) => code)).toContain('FINDING_DROPPED');
  });

  it('is said once when two pages say it, the worst first, and capped', async () => {
    const model = countingModel(async () =>
      answerWith(
        findingOn('src/a.ts', { severity: 'low', category: 'naming', message: 'The name says too little.' }),
        findingOn('src/a.ts', { severity: 'critical' }),
        findingOn('src/a.ts', { severity: 'high' }),
      ),
    );
    const result = await ground.run(model, { fresh: true, maxChunkTokens: 60, most: 1 });
    expect(model.calls()).toBe(2);
    expect(result.findings.map(({ finding }) => finding.severity)).toEqual(['critical']);
    expect(result.held).toBe(1);
    expect(result.report).toContain('said twice');
  });

  it('does not write our marks into files, and finds the lines around them', async () => {
    const { result } = await review([
      answerWith(
        findingOn('src/a.ts', {
          startLine: 40,
          endLine: 40,
          evidence: 'export const a = [redacted:github-token];\nexport const b = 2;',
          suggestion: { replacement: 'export const b = [redacted:github-token];', startLine: 2, endLine: 2 },
        }),
      ),
    ]);
    const [only] = result.findings;
    expect(only?.finding).toMatchObject({ startLine: 2, endLine: 2, evidence: 'export const b = 2;' });
    expect(only?.finding.suggestion).toBeUndefined();
  });
});

describe('how a call ends', () => {
  const codes: ErrorCode[] = [
    'MODEL_NOT_CONFIGURED',
    'MODEL_UNAVAILABLE',
    'MODEL_REFUSED',
    'MODEL_ANSWER_INVALID',
    'TIMEOUT',
    'COST_CEILING_REACHED',
  ];
  const failing = (code: ErrorCode, paths: RegExp) =>
    countingModel(async (request) => {
      if (paths.test(pathOf(request))) throw new GalleyError(code, 'As told.');
      return answerWith(findingOn(pathOf(request)));
    });
  const twoPages = { fresh: true, maxChunkTokens: 60, concurrency: 1 };

  it.each(codes)('%s on every page is a refusal of that code', async (code) => {
    await expect(ground.run(failing(code, /./), twoPages)).rejects.toMatchObject({
      code,
      message: 'No page of 2 was reviewed: As told.',
      details: { pages: 2, failed: 2 },
    });
  });

  it.each(codes)('%s on the last page leaves the others standing', async (code) => {
    const result = await ground.run(failing(code, /z\.ts/), twoPages);
    expect(result.findings.map(({ finding }) => finding.path)).toEqual(['src/a.ts']);
    expect(result).toMatchObject({
      complete: false,
      missing: [{ page: 2, status: 'failed', code, files: ['src/z.ts'] }],
      coverage: `Partial: 1 file (+2 -0) on 1 page; left out 1 file: 1 on a page that failed (${code}) (+1 -0).`,
    });
    expect(result.report).toContain('**Incomplete:**');
  });

  it("a stranger's error is no end of the review", async () => {
    const model = countingModel(async (request) => {
      if (/z\.ts/.test(pathOf(request))) throw new TypeError('secret words of a library');
      return answerWith();
    });
    const result = await ground.run(model, twoPages);
    expect(result.missing).toMatchObject([{ code: 'MODEL_UNAVAILABLE' }]);
    expect(JSON.stringify(result)).not.toContain('secret words');
  });

  it('a model that never answers and does not listen is left behind', async () => {
    const deaf = countingModel((request) =>
      /z\.ts/.test(pathOf(request)) ? new Promise(() => {}) : Promise.resolve(answerWith()),
    );
    const request = reviewRunRequest.parse({ mode: 'pr', base: 'main', ...twoPages, timeoutMs: 20 });
    const signal = new AbortController().signal;
    const folder = ground.repository.folder;
    const result = await runReview(request, { folder, signal, model: async () => deaf, graceMs: 10 });
    expect(result).toMatchObject({ complete: false, missing: [{ page: 2, code: 'TIMEOUT' }] });
  });

  it('a cancelled review that a model does not hear of ends all the same', async () => {
    const controller = new AbortController();
    const deaf = countingModel(() => {
      controller.abort();
      return new Promise(() => {});
    });
    const request = reviewRunRequest.parse({ mode: 'pr', base: 'main', ...twoPages });
    const folder = ground.repository.folder;
    await expect(
      runReview(request, { folder, signal: controller.signal, model: async () => deaf, graceMs: 10 }),
    ).rejects.toMatchObject({ code: 'CANCELLED', details: { finished: 0, pages: 2 } });
    expect(deaf.calls()).toBe(1);
  });

  it('without a model nothing is read', async () => {
    await expect(
      ground.run(
        scriptedModel([]),
        { base: 'nowhere' },
        {
          model: () => Promise.reject(new GalleyError('MODEL_NOT_CONFIGURED', 'None.')),
        },
      ),
    ).rejects.toMatchObject({ code: 'MODEL_NOT_CONFIGURED' });
  });
});
