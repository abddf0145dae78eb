// A reviewer that asks for more is answered from the repository, in the same conversation, within its limits, and only once.
import { describe, expect, it } from 'vitest';
import { GalleyError } from '../../src/core/model/error.js';
import { verifyReceipt } from '../../src/core/seal/seal.js';
import type { ScratchRepository } from '../../src/git/testing/scratch-repository.js';
import { hashText } from '../../src/meters/content-hash.js';
import { loadMeter } from '../../src/meters/load-meter.js';
import type { ModelRequest } from '../../src/models/contract/model.js';
import { type Line, type ScriptedModel, scriptedModel } from '../../src/testing/scripted-model.js';
import { answerWith, findingOn, groundForTest } from './review-ground.js';

const token = `ghp_${'A1b2C3d4E5f6G7h8I9j0'.repeat(2).slice(0, 36)}`;
const shop = (repository: ScratchRepository) => {
  const rate = 'export function rate(): number {\n  return 1.2;\n}\n';
  repository.write('src/rate.ts', rate);
  for (const name of ['cart', 'bill', 'quote'])
    repository.write(
      `src/${name}.ts`,
      `import { rate } from './rate.js';\n\nexport function ${name}(n: number) {\n  return n * rate();\n}\n`,
    );
  repository.write('config/live.ts', `export const live = { token: '${token}', mark: 'PAYOUT_LIMIT' };\n`);
  repository.write('private/plans.ts', `export const plan = 'PAYOUT_LIMIT is going to be raised';\n`);
  repository.write('.galleyignore', 'private/\n');
};
const change = (repository: ScratchRepository) => {
  repository.write(
    'src/rate.ts',
    'export function rate(country: string): number {\n  return country.length;\n}\n',
  );
};
const ground = () => groundForTest(change, shop);

const unitOf = ({ prompt }: ModelRequest) => /\{"unit":"([^"]+)"/.exec(prompt)?.[1] ?? '';
const asking =
  (requests: object[], findings: object[] = []): Line =>
  async (request) =>
    JSON.stringify({
      summary: 'Rates depend on the country.',
      findings,
      requests: requests.map((one) => ({ unit: unitOf(request), details: '', ...one })),
    });
const inTurns = (model: ScriptedModel): ScriptedModel => ({ ...model, takesTurns: true });
const wrong = findingOn('src/rate.ts', { startLine: 2, endLine: 2 });

/** What the second call says beyond the first. */
const added = ({ requests: [first, second] }: ScriptedModel) =>
  (second?.prompt ?? '').slice(first?.prompt.length ?? 0);

describe('a reviewer that asks', () => {
  it('gets what the repository holds as the next message, and its last answer holds [review.asks]', async () => {
    const { run } = ground();
    const callers = { type: 'callers', details: 'rate' };
    const model = inTurns(scriptedModel([asking([callers], [findingOn('src/cart.ts')]), answerWith(wrong)]));
    const result = await run(model, { context: 'none' });
    const [first, second] = model.requests;
    expect(model.requests).toHaveLength(2);
    expect(second?.system).toBe(first?.system);
    expect(second?.prompt.startsWith(first?.prompt ?? '-')).toBe(true);
    const start = Buffer.byteLength(first?.prompt ?? '');
    const [answer = 0, message = 0] = second?.turns ?? [];
    expect(answer).toBe(start);
    const whole = Buffer.from(second?.prompt ?? '');
    expect(JSON.parse(whole.toString('utf8', answer, message))).toMatchObject({ requests: [callers] });
    const said = whole.toString('utf8', message);
    const [, id, inside = ''] =
      /===== BEGIN UNTRUSTED CHANGE (\w{32}) =====\n([\s\S]*)===== END UNTRUSTED CHANGE \1 =====/.exec(
        said,
      ) ?? [];
    expect(first?.prompt).not.toContain(id);
    for (const name of ['cart', 'bill', 'quote'])
      expect(inside).toContain(`export function ${name}(n: number) {`);
    expect(said.split('=====').at(-1)).toContain('this answer replaces the one before');
    expect(result.findings.map(({ finding }) => finding.path)).toEqual(['src/rate.ts']);
    expect(result.runs.map(({ kind }) => kind)).toEqual(['review-page', 'review-page-follow-up']);
    const [receipt] = result.receipts;
    expect(result.runs[1]?.receipt).toBe(receipt?.id);
    expect(receipt?.previous).toBe(result.pages[0]?.receipt.id);
    expect(verifyReceipt(JSON.parse(JSON.stringify(receipt)), hashText)).toBe('sealed');
    const line = receipt?.ledger.find(({ fragment }) => fragment === 'request:1:1');
    expect(line).toMatchObject({ verdict: 'kept', reason: 'asked for callers: 3 place(s) served' });
  });

  it('gets it in one text where the model takes no messages, what it said in a fence of its own [review.asks]', async () => {
    const { run } = ground();
    const model = scriptedModel([asking([{ type: 'search', details: 'country' }]), answerWith(wrong)]);
    await run(model);
    expect(model.requests[1]?.turns).toBeUndefined();
    const text = added(model);
    expect(text.match(/^===== BEGIN UNTRUSTED CHANGE \w{32} =====$/gm)).toHaveLength(2);
    expect(text).toContain('You have answered already');
    expect(text).toContain('"details":"country"');
  });

  it('serves nothing it shows already, nothing that is ignored and no secret [review.asks]', async () => {
    const { run } = ground();
    const model = inTurns(
      scriptedModel([
        asking([
          { type: 'search', details: 'PAYOUT_LIMIT' },
          { type: 'search', details: 'country.length' },
          { type: 'previous_version' },
        ]),
        answerWith(),
      ]),
    );
    const { receipts } = await run(model);
    const text = added(model);
    expect(text).toContain('config/live.ts:1');
    expect(text).toContain('[redacted:');
    for (const secret of [token, 'plans.ts', 'going to be raised']) expect(text).not.toContain(secret);
    expect(text.match(/return country\.length;/g)).toBeNull();
    expect(text.match(/All there is was shown before\./g)).toHaveLength(2);
    const ledger = receipts[0]?.ledger.filter(({ source }) => source === 'requests') ?? [];
    expect(ledger.map(({ reason }) => reason)).toEqual([
      'asked for search: 1 place(s) served, 1 withheld, in files that are left out of reviews',
      'asked for search: 0 place(s) served, 1 shown before',
      'asked for previous_version: 0 place(s) served, 1 shown before',
    ]);
    expect(ledger[0]?.finished).toEqual({ 'secret:github-token': 1 });
    expect(JSON.stringify(receipts)).not.toContain('PAYOUT');
  });

  it.each<[verdict: string, what: string, request: object]>([
    ['withheld', 'a path above', { type: 'search', details: '../../etc/passwd' }],
    ['withheld', 'a path from the root', { type: 'callers', details: '/etc/passwd' }],
    ['withheld', 'a home folder', { type: 'search', details: '~/.ssh/id_rsa' }],
    ['withheld', 'a drive', { type: 'search', details: 'C:\\secrets' }],
    ['invalid', 'a kind of its own', { type: 'read_everything', details: '*' }],
    ['invalid', 'a megabyte of words', { type: 'search', details: 'x'.repeat(1_000_000) }],
    ['invalid', 'a single letter', { type: 'search', details: 'e' }],
    ['invalid', 'another page', { type: 'previous_version', unit: 'unit_of_another_page' }],
  ])('is refused, with the reason in the ledger, for %s: %s [review.asks]', async (verdict, _, request) => {
    const { run } = ground();
    const model = inTurns(scriptedModel([asking([request], [wrong]), answerWith(wrong)]));
    const result = await run(model);
    expect(result).toMatchObject({ complete: true, missing: [] });
    expect(result.findings).toHaveLength(1);
    const line = result.receipts[0]?.ledger.find(({ fragment }) => fragment === 'request:1:1');
    expect(line?.verdict).toBe(verdict);
    const said = added(model).slice(-2_000);
    expect(said).toContain(`Request 1 is not served: ${line?.reason}.`);
    expect(said).not.toContain('etc/passwd:');
  });

  it('is served so many requests and tokens as allowed, whatever it asks for [review.asks]', async () => {
    const meter = await loadMeter('o200k_base');
    const { run } = ground();
    const many = Array.from({ length: 200 }, (_, at) => ({
      type: 'search',
      details: `return${at % 2 ? ' n' : ''}`,
    }));
    const greedy = [...many, { type: 'callers', details: 'rate' }];
    const sizes: number[] = [];
    for (const followUpTokens of [20, 60, 150]) {
      const model = inTurns(scriptedModel([asking(greedy), answerWith()]));
      const { receipts } = await run(model, { fresh: true, followUpTokens });
      const lines = receipts[0]?.ledger.filter(({ fragment }) => fragment.startsWith('request:1:')) ?? [];
      expect(lines).toHaveLength(201);
      const tokens = lines.reduce((sum, { amount = 0 }) => sum + amount, 0);
      expect(tokens).toBeLessThanOrEqual(followUpTokens);
      sizes.push(tokens);
      expect(lines.filter(({ verdict }) => verdict === 'kept').length).toBeLessThanOrEqual(8);
      expect(meter.weigh(added(model)) / meter.scale).toBeLessThan(followUpTokens + 15_000);
    }
    expect(sizes[2]).toBeGreaterThan(sizes[0]!);
  });

  it('may ask so often as allowed, and no more [review.asks]', async () => {
    const { run } = ground();
    const forever = (word: string): Line => asking([{ type: 'search', details: word }], [wrong]);
    for (const followUps of [0, 1, 3]) {
      const model = inTurns(
        scriptedModel([forever('rate'), forever('cart'), forever('bill'), forever('quote')]),
      );
      const result = await run(model, { fresh: true, followUps });
      expect(model.requests).toHaveLength(1 + followUps);
      expect(result).toMatchObject({ complete: true, missing: [] });
      expect(result.findings).toHaveLength(1);
      expect(result.warnings.some(({ code }) => code === 'REQUESTS_NOT_SERVED')).toBe(followUps > 0);
      expect(model.requests[0]?.system?.includes('# Asking for more')).toBe(followUps > 0);
      const last = model.requests.at(-1)?.prompt ?? '';
      expect(last.includes('You cannot ask for more')).toBe(followUps > 0);
    }
  });

  it('is not told that it may ask where it is an agent CLI, unless somebody wants it [review.asks]', async () => {
    const { run } = ground();
    const cli = () => ({
      ...scriptedModel([asking([{ type: 'callers', details: 'rate' }]), answerWith()], 'cli/plain'),
    });
    const [shy, bold] = [cli(), cli()];
    await run(shy);
    expect(shy.requests).toHaveLength(1);
    expect(shy.requests[0]?.system).not.toContain('# Asking for more');
    await run(bold, { followUps: 1 });
    expect(bold.requests).toHaveLength(2);
  });

  it('follows what the project says in the tree that may be trusted, and the caller before it [review.asks]', async () => {
    const own = groundForTest(change, (repository) => {
      shop(repository);
      repository.write('galley.config.json', '{"followUps":0,"followUpTokens":100}');
    });
    const calls = async (request: object) => {
      const model = scriptedModel([asking([{ type: 'callers', details: 'rate' }]), answerWith()]);
      await own.run(model, { fresh: true, ...request });
      return model.requests.length;
    };
    expect([await calls({}), await calls({ followUps: 1 })]).toEqual([1, 2]);
  });
});

describe('a model with a small window', () => {
  it('is served and asked again within it, or not at all [review.asks] [review.verify] [wire.window]', async () => {
    const { run } = ground();
    const seen = { served: 0, full: 0, verified: 0 };
    const greedy = Array.from({ length: 8 }, (_, at) => ({
      type: 'search',
      details: ['rate', 'return', 'export', 'number'][at % 4],
    }));
    for (let window = 5_000; window <= 12_000; window += 500) {
      const prices = { version: 'x', rows: [{ model: 'small/*', input: 1, output: 1, window }] };
      const talk: Line = async (request, options) =>
        /once more before anybody/.test(request.prompt)
          ? '{"findings":[],"verdicts":[{"finding":1,"verdict":"confirmed","reason":"It is."}]}'
          : ((await (asking(greedy, [wrong]) as Extract<Line, (...parts: never[]) => unknown>)(
              request,
              options,
            )) as string);
      const model = inTurns(scriptedModel([talk], 'small/one'));
      const request = { fresh: true, verify: true, followUps: 5, context: 'none' };
      const result = await run(model, request, { prices: async () => prices }).catch((error: unknown) => {
        expect(error).toMatchObject({ code: 'CONTEXT_BUDGET_INFEASIBLE' });
        return undefined;
      });
      if (result === undefined) continue;
      expect(result).toMatchObject({ complete: true, missing: [] });
      const receipts = [...result.pages.map(({ receipt }) => receipt), ...result.receipts];
      for (const { used, budget } of receipts) {
        expect(used.n).toBeLessThanOrEqual(budget.n);
        expect(budget.n).toBeLessThanOrEqual(window * 0.75);
      }
      const codes = result.warnings.map(({ code }) => code);
      seen.served += result.runs.filter(({ kind }) => kind === 'review-page-follow-up').length;
      seen.full += codes.filter((code) => code === 'REQUESTS_NOT_SERVED').length;
      seen.verified += result.runs.filter(({ kind }) => kind === 'review-page-verify').length;
    }
    for (const [what, count] of Object.entries(seen)) expect([what, count > 0]).toEqual([what, true]);
  });
});

describe('what was answered', () => {
  const request = { type: 'callers', details: 'rate' };

  it('is kept, message by message: another run asks only for what is missing [review.asks]', async () => {
    const { run, repository } = ground();
    const down: Line = async () => {
      throw new GalleyError('MODEL_UNAVAILABLE', 'Down.');
    };
    const first = inTurns(scriptedModel([asking([request], [wrong]), down]));
    const half = await run(first);
    expect(half).toMatchObject({ complete: true, pages: [{ status: 'reviewed', findings: 1 }] });
    expect(half.warnings.map(({ code }) => code)).toContain('FOLLOW_UP_FAILED');
    expect(half.runs.map(({ kind }) => kind)).toEqual(['review-page', 'review-page-follow-up']);
    const second = inTurns(
      scriptedModel([answerWith(wrong, findingOn('src/rate.ts', { category: 'style' }))]),
    );
    const whole = await run(second);
    expect(second.requests).toHaveLength(1);
    expect(second.requests[0]?.prompt).toBe(first.requests[1]?.prompt);
    expect(whole.pages).toMatchObject([{ status: 'reviewed', findings: 2 }]);
    const third = inTurns(scriptedModel([answerWith()]));
    expect((await run(third)).pages).toMatchObject([{ status: 'kept', findings: 2 }]);
    expect(third.requests).toHaveLength(0);
    // What is served has changed, so the reviewer is asked about it anew.
    repository.write(
      'src/cart.ts',
      "import { rate } from './rate.js';\nexport const cart = () => rate('at');\n",
    );
    repository.commit('cart');
    const fourth = inTurns(scriptedModel([asking([request]), answerWith()]));
    await run(fourth);
    expect(fourth.requests.length).toBeGreaterThan(0);
  });

  it('fails its page where it asked for more and gave no findings, and goes on from there [review.asks]', async () => {
    const { run } = ground();
    const onlyAsks: Line = async (asked) =>
      JSON.stringify({ requests: [{ ...request, unit: unitOf(asked) }] });
    const model = inTurns(scriptedModel([onlyAsks, 'I would rather not.']));
    await expect(run(model)).rejects.toMatchObject({ code: 'MODEL_ANSWER_INVALID' });
    expect(model.requests).toHaveLength(3);
    const again = inTurns(scriptedModel([answerWith(wrong)]));
    const result = await run(again);
    expect(again.requests).toHaveLength(1);
    expect(result.findings).toHaveLength(1);
  });
});
