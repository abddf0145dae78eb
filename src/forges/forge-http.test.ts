import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Fault, Faults } from '../testing/forge/open-forge.js';
import { clientOf, type SampleForge, sampleForge } from '../testing/forge/sample-forge.js';
import type { Forge } from './forge.js';
import { isUncertain } from './forge-http.js';

let sample: SampleForge;
let client: Forge;
let waits: number[];
beforeEach(async () => {
  sample = await sampleForge();
  waits = [];
  client = await clientOf(sample.forge, {
    sleep: async (ms) => {
      waits.push(ms);
      sample.forge.advance(ms);
    },
    now: () => 0,
  });
});
afterEach(() => sample.forge.close());

const bodies = () => sample.forge.pull(sample.number).comments.map(({ body }) => body);
const comment = () => client.addComment(sample.number, 'x');
const edit = () => client.setDescription(sample.number, 'x');
const failure = async (promise: Promise<unknown>) => {
  const error = await promise.then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  const { code, details } = error as { code: string; details: { reason: string; status: number } };
  return { code, reason: details.reason, status: details.status, uncertain: isUncertain(error) };
};
const always =
  (fault: Fault): Faults =>
  () =>
    fault;

describe('a call that failed', () => {
  it.each([
    [401, 'FORGE_NOT_CONFIGURED', 'token', false],
    [403, 'FORBIDDEN', 'rights', false],
    [404, 'NOT_FOUND', 'missing', false],
    [410, 'NOT_FOUND', 'missing', false],
    [422, 'FORGE_REFUSED', 'refused', false],
    [301, 'NOT_FOUND', 'moved', false],
    [500, 'FORGE_UNAVAILABLE', 'unavailable', true],
    [502, 'FORGE_UNAVAILABLE', 'unavailable', true],
  ])('with %i is %s for the reason %s', async (status, code, reason, uncertain) => {
    sample.forge.fail(always({ kind: 'status', status, headers: { location: 'http://127.0.0.1:9/' } }));
    expect(await failure(comment())).toEqual({ code, reason, status, uncertain });
    expect([bodies(), waits]).toEqual([[], []]);
    expect(sample.forge.requests).toHaveLength(1);
  });

  it('says what the token needs, and never the token or a path', async () => {
    sample.forge.fail(always({ kind: 'status', status: 403 }));
    const error = await comment().catch((thrown: Error) => thrown);
    expect((error as Error).message).toBe(
      'GitHub does not let the token of GITHUB_TOKEN do this; it needs "pull-requests: write".',
    );
  });

  it('is not made again where it may have had its effect', async () => {
    sample.forge.fail({ 1: { kind: 'lost-answer' } });
    expect(await failure(comment())).toMatchObject({ reason: 'unreachable', uncertain: true });
    expect(bodies()).toEqual(['x']);
    sample.forge.fail({ 1: { kind: 'cut' } });
    expect(await failure(comment())).toMatchObject({ reason: 'unreachable', uncertain: true });
    expect(bodies()).toEqual(['x']);
  });

  it('is made again where doing it twice is doing it once', async () => {
    sample.forge.fail({
      ...{ 1: { kind: 'cut' }, 2: { kind: 'status', status: 502 }, 3: { kind: 'lost-answer' } },
    });
    await edit();
    expect(waits).toEqual([1000, 2000, 4000]);
    expect(sample.forge.requests.map(({ status }) => status)).toEqual([0, 502, 0, 200]);
    sample.forge.fail(always({ kind: 'cut' }));
    expect(await failure(edit())).toMatchObject({ code: 'FORGE_UNAVAILABLE', reason: 'unreachable' });
  });

  it('is told apart from an answer that is not that of the API', async () => {
    sample.forge.fail(always({ kind: 'malformed' }));
    expect(await failure(client.read(sample.number))).toMatchObject({
      reason: 'malformed',
      uncertain: false,
    });
    sample.forge.fail(always({ kind: 'status', status: 200, body: '<html>' }));
    expect(await failure(client.pullOf({ name: 'topic' }))).toMatchObject({ reason: 'malformed' });
  });
});

describe('a host that wants to be left alone', () => {
  it('is left alone for as long as it says', async () => {
    sample.forge.fail({ 1: { kind: 'status', status: 429, retryAfter: 7 } });
    await comment();
    sample.forge.fail({
      1: {
        ...{ kind: 'status', status: 403 },
        headers: { 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': '30' },
      },
    });
    await comment();
    expect(waits).toEqual([7000, 30_000]);
    expect(bodies()).toEqual(['x', 'x']);
  });

  it('is left alone for longer and longer where it does not say, and then given up', async () => {
    sample.forge.fail({ 1: { kind: 'secondary-limit' }, 2: { kind: 'secondary-limit' } });
    await comment();
    expect([waits, bodies()]).toEqual([[60_000, 120_000], ['x']]);
    sample.forge.fail(always({ kind: 'secondary-limit' }));
    expect(await failure(comment())).toMatchObject({
      ...{ code: 'FORGE_UNAVAILABLE', reason: 'slow-down', uncertain: false },
    });
    expect(waits.reduce((sum, ms) => sum + ms, 0)).toBeLessThanOrEqual(600_000);
  });

  it('is the real one after eighty comments in a minute', async () => {
    for (let at = 0; at < 81; at += 1) await client.addComment(sample.number, `${at}`);
    expect(waits).toEqual([60_000]);
    expect(bodies()).toHaveLength(81);
  });
});

describe('a call that takes too long', () => {
  it('is given up when the caller is', async () => {
    const stop = new AbortController();
    const stoppable = await clientOf(sample.forge, { signal: stop.signal });
    sample.forge.fail({ 1: { kind: 'hang' } });
    const waiting = failure(
      stoppable.addComment(sample.number, 'x').catch((error: unknown) => {
        throw Object.assign(error as object, { details: {} });
      }),
    );
    while (sample.forge.requests.length === 0) await new Promise(setImmediate);
    stop.abort();
    expect((await waiting).code).toBe('CANCELLED');
  });
});
