// Findings looked at once more: by the model that made them or by another. What is refuted is held back with the reason, and whatever
// goes wrong leaves findings as they are.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { GalleyError } from '../../src/core/model/error.js';
import { verifyReceipt } from '../../src/core/seal/seal.js';
import { hashText } from '../../src/meters/content-hash.js';
import { countTokens } from '../../src/models/contract/count-tokens.js';
import { connect } from '../../src/models/http/connection.js';
import { endpointNamed } from '../../src/models/http/endpoint.js';
import { httpModel } from '../../src/models/http/http-model.js';
import { type Loopback, openLoopback } from '../../src/testing/loopback/open-loopback.js';
import { type Line, type ScriptedModel, scriptedModel } from '../../src/testing/scripted-model.js';
import { answerWith, findingOn, groundForTest } from './review-ground.js';

const code = `export function total(items: number[]): number {
  let sum = 0;
  for (const item of items) sum += item;
  return sum / items.length;
}
`;
const ground = () => groundForTest((repository) => repository.write('src/total.ts', code));
const real = findingOn('src/total.ts', {
  ...{ startLine: 4, endLine: 4, severity: 'high', evidence: 'return sum / items.length;' },
  ...{ title: 'Division by zero', message: 'An empty list divides by zero.' },
});
const false_ = findingOn('src/total.ts', {
  ...{ startLine: 2, endLine: 2, severity: 'critical', category: 'security', evidence: 'let sum = 0;' },
  ...{ title: 'Overflow', message: 'The sum overflows into the stack.' },
});
const verdicts = (...rows: object[]): Line => JSON.stringify({ summary: '', findings: [], verdicts: rows });
const refutes = { finding: 1, verdict: 'refuted', reason: 'Numbers here have no @stack to overflow into.' };
const confirms = { finding: 2, verdict: 'confirmed', reason: 'Nothing guards the length.' };
const inTurns = (model: ScriptedModel): ScriptedModel => ({ ...model, takesTurns: true });

describe('a second look', () => {
  it('holds back what the reviewer itself refutes, in the same conversation [review.verify]', async () => {
    const { run } = ground();
    const model = inTurns(scriptedModel([answerWith(false_, real), verdicts(refutes, confirms)]));
    const request = { verify: true, format: 'json', failLevel: 'high' };
    const result = await run(model, request);
    expect(model.requests).toHaveLength(2);
    const [first, second] = model.requests;
    expect(second?.prompt.startsWith(first?.prompt ?? '-')).toBe(true);
    expect(second?.turns?.[0]).toBe(Buffer.byteLength(first?.prompt ?? ''));
    const said = second?.prompt.slice(first?.prompt.length) ?? '';
    for (const words of ['## 1. src/total.ts:2 ', '## 2. src/total.ts:4 ', '4|   return sum / items.length;'])
      expect(said).toContain(words);
    expect(result.findings.map(({ finding }) => finding.title)).toEqual(['Division by zero']);
    expect(result).toMatchObject({ held: 1, complete: true, fails: true, spent: { calls: 2 } });
    const [held] = JSON.parse(result.report).held;
    expect(held).toMatchObject({ holdReason: 'refuted', title: 'Overflow', refuted: refutes.reason });
    expect(result.runs[1]).toMatchObject({ kind: 'review-page-verify', receipt: result.receipts[0]?.id });
    expect(verifyReceipt(JSON.parse(JSON.stringify(result.receipts[0])), hashText)).toBe('sealed');
    const sarif = await run(inTurns(scriptedModel([])), { ...request, format: 'sarif' });
    const suppressed = JSON.parse(sarif.report).runs[0].results.flatMap(
      ({ suppressions }: { suppressions: { justification: string }[] }) => suppressions,
    );
    expect(suppressed).toMatchObject([{ justification: expect.stringContaining('Numbers here have no') }]);
    const english = await run(inTurns(scriptedModel([])), { ...request, format: 'markdown' });
    expect(english.report).toContain('Refuted when looked at again:\n\n- **Overflow** · critical');
    expect(english.report).toContain('Numbers here have no `@stack` to overflow into.');
    expect(english.report).toContain('Not shown: 1 refuted.');
  });

  it('words it in Chinese, and fails no build for what is refuted alone [review.verify]', async () => {
    const { run } = ground();
    const model = scriptedModel([answerWith(false_), verdicts(refutes)]);
    const result = await run(model, { verify: true, language: '简体中文', failLevel: 'info' });
    expect(result).toMatchObject({ fails: false, held: 1, findings: [] });
    expect(result.report).toContain('复核时被否定：');
    expect(result.report).toContain('未列出：复核时被否定 1 项。');
  });

  it('is another model with a short prompt of its own, where one is named [review.verify]', async () => {
    const { run } = ground();
    const reviewer = scriptedModel([answerWith(false_, real)], 'test/reviewer');
    const verifier = scriptedModel([verdicts(refutes, confirms)], 'test/verifier');
    const model = async (name?: string) => (name === 'test/verifier' ? verifier : reviewer);
    const result = await run(reviewer, { verifyModel: 'test/verifier' }, { model });
    expect([reviewer.requests.length, verifier.requests.length]).toEqual([1, 1]);
    const [asked] = verifier.requests;
    expect(asked?.prompt).not.toContain('## The change');
    expect(asked?.prompt).toContain('1| export function total(items: number[]): number {');
    expect(asked?.system).toContain('"verdicts"');
    expect(asked?.system).not.toContain('"evidence"');
    expect(result.held).toBe(1);
    expect(result.runs.map(({ model: id }) => id)).toEqual(['test/reviewer', 'test/verifier']);
    expect(result.receipts).toMatchObject([{ id: result.runs[1]?.receipt, recipe: { id: 'review-verify' } }]);
  });

  it.each<[string, Line, string]>([
    ['fails', async () => Promise.reject(new GalleyError('TIMEOUT', 'Late.')), 'VERIFY_FAILED'],
    ['says nothing that can be read', 'They all look fine to me.', 'FINDINGS_NOT_VERIFIED'],
    ['gives no reason', verdicts({ ...refutes, reason: ' ' }, confirms), ''],
    ['says both', verdicts(refutes, { ...refutes, verdict: 'confirmed' }, confirms), ''],
    [
      'speaks of findings nobody made',
      verdicts({ ...refutes, finding: 7 }, { ...refutes, finding: 0 }),
      'FINDINGS_NOT_VERIFIED',
    ],
    ['speaks of one alone', verdicts(confirms), 'FINDINGS_NOT_VERIFIED'],
  ])('leaves findings as they are when it %s [review.verify]', async (_, line, warning) => {
    const { run } = ground();
    const result = await run(scriptedModel([answerWith(false_, real), line]), { verify: true });
    expect(result.findings).toHaveLength(2);
    expect(result).toMatchObject({ held: 0, complete: true, missing: [] });
    const codes = result.warnings.map(({ code }) => code).filter((code) => /VERIF/.test(code));
    expect(codes).toEqual(warning === '' ? [] : [warning]);
    expect(result.runs.map(({ kind }) => kind)).toEqual(['review-page', 'review-page-verify']);
  });

  it('asks nothing about a page without findings, and nothing unless it is wanted [review.verify]', async () => {
    const { run } = ground();
    const clean = scriptedModel([answerWith()]);
    await run(clean, { verify: true });
    expect(clean.requests).toHaveLength(1);
    const unwanted = scriptedModel([answerWith(real)]);
    await run(unwanted, { fresh: true });
    expect(unwanted.requests).toHaveLength(1);
  });

  it('is kept like any answer: only what is missing is asked for [review.verify]', async () => {
    const { run } = ground();
    await run(inTurns(scriptedModel([answerWith(false_, real)])));
    const later = inTurns(scriptedModel([verdicts(refutes, confirms)]));
    const second = await run(later, { verify: true });
    expect(later.requests).toHaveLength(1);
    expect(second).toMatchObject({ held: 1, pages: [{ status: 'reviewed' }] });
    const last = inTurns(scriptedModel([]));
    expect(await run(last, { verify: true })).toMatchObject({ held: 1, pages: [{ status: 'kept' }] });
    expect(last.requests).toHaveLength(0);
  });
});

describe('a run that ends early', () => {
  it('still holds back what was refuted before, and asks nobody [review.verify]', async () => {
    const { run, repository } = groundForTest((made) => {
      for (const name of ['a', 'b', 'c']) made.write(`src/${name}.ts`, code);
    });
    const on = (path: string) => [
      { ...false_, path },
      { ...real, path },
    ];
    const request = { verify: true, maxChunkTokens: 120, context: 'none', concurrency: 1 };
    const model = (say: Line) =>
      inTurns(
        scriptedModel([
          async (asked, options) => {
            if (asked.turns !== undefined) return verdicts(refutes, confirms) as string;
            if (typeof say === 'function') return say(asked, options);
            return answerWith(...on(/## (src\/\w\.ts)/.exec(asked.prompt)?.[1] ?? ''));
          },
        ]),
      );
    const first = await run(model(''), request);
    expect(first).toMatchObject({ held: 3, complete: true });
    expect(first.pages).toHaveLength(3);
    repository.write('src/a.ts', `${code}\nexport const more = 1;\n`);
    repository.commit('push');
    const broke = model(async () => {
      throw new GalleyError('COST_CEILING_REACHED', 'As told.');
    });
    const second = await run(broke, request);
    expect(broke.requests).toHaveLength(1);
    expect(second.pages.map(({ status }) => status).sort()).toEqual(['failed', 'kept', 'kept']);
    expect(second).toMatchObject({ held: 2, complete: false, spent: { calls: 1 } });
    expect(second.findings).toHaveLength(2);
  });
});

describe('a second look over a real protocol', () => {
  let loopback: Loopback;
  beforeAll(async () => {
    loopback = await openLoopback();
  });
  afterAll(() => loopback.close());
  const modelOf = (name: string) => {
    const [family = '', model = ''] = name.split('/');
    const endpoint = endpointNamed(family)!;
    const path = endpoint.protocol === 'anthropic' ? '' : '/v1';
    const environment = {
      [endpoint.keyVariables[0]!]: 'key',
      [endpoint.baseUrlVariables[0]!]: `${loopback.url}${path}`,
    };
    return httpModel(connect(endpoint, environment), model, { count: countTokens, sleep: async () => {} });
  };
  const asks = {
    summary: '',
    findings: [real],
    requests: [{ type: 'search', unit: '', details: 'project' }],
  };

  it.each(['anthropic/claude-sonnet-4-5', 'openai/gpt-4o'])(
    'reads page and answers from the cache of %s [review.verify] [review.asks]',
    async (name) => {
      const { run } = groundForTest((repository) => {
        repository.write('src/total.ts', code);
        repository.write('src/long.ts', 'export const value = "a few words";\n'.repeat(150));
      });
      loopback.play([
        { json: asks },
        { json: { summary: '', findings: [false_, real] } },
        { json: { summary: '', findings: [], verdicts: [refutes, confirms] } },
      ]);
      const result = await run(modelOf(name), { verify: true });
      expect(result.runs.map(({ kind }) => kind)).toEqual([
        ...['review-page', 'review-page-follow-up', 'review-page-verify'],
      ]);
      expect(result.held).toBe(1);
      const [first, second, third] = result.runs.map(({ reported }) => reported);
      expect(second?.cachedInputTokens).toBeGreaterThan(0.85 * (first?.inputTokens ?? 0));
      expect(third?.cachedInputTokens).toBeGreaterThan(0.85 * (second?.inputTokens ?? 0));
    },
  );

  it('keeps to one ceiling with the review, whoever looks again [review.verify]', async () => {
    const { run } = ground();
    const reviewer = modelOf('openai/gpt-4o');
    const verifier = modelOf('anthropic/claude-sonnet-4-5');
    const model = async (name?: string) => (name === verifier.id ? verifier : reviewer);
    const play = () => {
      loopback.forgetCache();
      loopback.play([
        { json: { summary: '', findings: [real] } },
        { json: { verdicts: [{ ...confirms, finding: 1 }] } },
      ]);
    };
    const request = { verifyModel: verifier.id, fresh: true, maxOutputTokens: 200 };
    play();
    const whole = await run(reviewer, request, { model });
    const costs = whole.runs.map(({ cost }) => cost?.dollars ?? 0);
    expect(costs.every((dollars) => dollars > 0)).toBe(true);
    play();
    // Enough for what the first call may cost, and not for both.
    const maxCost = costs[0]! * 1.4;
    const some = await run(reviewer, { ...request, maxCost }, { model });
    expect(some.findings).toHaveLength(1);
    expect(some.warnings.map(({ message }) => message).join()).toContain('COST_CEILING_REACHED');
    expect(some.spent.dollars).toBeLessThanOrEqual(maxCost);
  });
});
