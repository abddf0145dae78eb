import { describe, expect, it } from 'vitest';
import type { Failure, Script } from '../../testing/loopback/open-loopback.js';
import type { Retry } from '../contract/model.js';
import { httpStage as stage } from '../testing/http-stage.js';

const passing: Failure[] = [
  { kind: 'status', status: 429 },
  { kind: 'status', status: 500 },
  { kind: 'status', status: 503 },
  { kind: 'status', status: 529 },
  { kind: 'reset' },
];

describe('a call that failed', () => {
  for (const failure of passing) {
    it(`is made again after ${failure.kind} ${'status' in failure ? failure.status : ''}`, async () => {
      const { run, slept, loopback } = await stage('anthropic/claude-sonnet-4-5', [
        failure,
        failure,
        'at last',
      ]);
      const retries: Retry[] = [];
      const answer = await run({}, { onRetry: (retry) => retries.push(retry), onText() {} });
      expect(answer).toMatchObject({ text: 'at last', attempts: 3 });
      expect(loopback.calls.length).toBe(3);
      expect(slept).toEqual([375, 750]);
      expect(retries).toEqual([
        { attempt: 1, afterMs: 375, code: 'MODEL_UNAVAILABLE' },
        { attempt: 2, afterMs: 750, code: 'MODEL_UNAVAILABLE' },
      ]);
    });
  }

  it('waits as long as the provider asks: in seconds, until a date, in milliseconds', async () => {
    const soon = new Date('2026-11-15T12:00:07Z');
    const waits: [Failure, number][] = [
      [{ kind: 'status', status: 429, retryAfter: 3 }, 3125],
      [{ kind: 'status', status: 429, retryAfter: soon }, 7125],
      [{ kind: 'status', status: 503, retryAfterMs: 40, retryAfter: 9 }, 165],
    ];
    for (const [failure, ms] of waits) {
      const { run, slept } = await stage('openai/gpt-4o', [failure, 'good'], {
        now: () => Date.parse('2026-11-15T12:00:00Z'),
      });
      expect((await run()).text).toBe('good');
      expect(slept).toEqual([ms]);
    }
  });

  it('is given up when the wait would outlast the run, or when it was made often enough', async () => {
    const slow = await stage('openai/gpt-4o', { kind: 'status', status: 429, retryAfter: 3600 });
    expect(await slow.refusal()).toMatchObject({
      code: 'MODEL_UNAVAILABLE',
      details: { reason: 'rate-limit', status: 429 },
    });
    expect(slow.loopback.calls.length).toBe(1);
    const often = await stage('openai/gpt-4o', { kind: 'status', status: 500 }, { attempts: 3 });
    expect(await often.refusal()).toMatchObject({ code: 'MODEL_UNAVAILABLE', details: { attempts: 3 } });
    expect(often.loopback.calls.length).toBe(3);
  });

  it('is never made again behind the back of a caller who has heard words of it', async () => {
    const script: Script = [{ kind: 'cut', at: 'before-final', reply: { text: 'void words' } }, 'the answer'];
    const deaf = await stage('anthropic/claude-sonnet-4-5', script);
    const heard: string[] = [];
    expect(await deaf.refusal({}, { onText: (text) => heard.push(text) })).toMatchObject({
      code: 'MODEL_UNAVAILABLE',
      details: { reason: 'cut' },
    });
    expect(heard.join('')).toBe('void words');
    const told = await stage('anthropic/claude-sonnet-4-5', script);
    let text = '';
    const answer = await told.run(
      {},
      {
        onText: (more) => {
          text += more;
        },
        onRetry: () => {
          text = '';
        },
      },
    );
    expect(answer).toMatchObject({ text: 'the answer', attempts: 2 });
    expect(text).toBe('the answer');
    const silent = await stage('anthropic/claude-sonnet-4-5', script);
    expect(await silent.run()).toMatchObject({ text: 'the answer', attempts: 2 });
  });

  it('ends at once when it is cancelled between two calls', async () => {
    const controller = new AbortController();
    const { refusal } = await stage(
      'openai/gpt-4o',
      { kind: 'status', status: 500 },
      {
        sleep: () => new Promise(() => undefined),
      },
    );
    const error = await refusal(
      {},
      { signal: controller.signal, onRetry: () => queueMicrotask(() => controller.abort()) },
    );
    expect(error).toMatchObject({ code: 'CANCELLED' });
  });

  it('is not made again when only a person can help', async () => {
    const cases: [number, string, string][] = [
      [400, 'MODEL_REFUSED', 'bad-request'],
      [401, 'MODEL_NOT_CONFIGURED', 'authentication'],
      [402, 'MODEL_REFUSED', 'payment'],
      [403, 'MODEL_NOT_CONFIGURED', 'authentication'],
      [404, 'MODEL_NOT_CONFIGURED', 'unknown-model'],
      [413, 'MODEL_REFUSED', 'bad-request'],
    ];
    for (const [status, code, reason] of cases) {
      const { refusal, loopback } = await stage('anthropic/claude-sonnet-4-5', { kind: 'status', status });
      expect(await refusal()).toMatchObject({ code, details: { status, reason } });
      expect(loopback.calls.length).toBe(1);
    }
  });
});

describe('what a provider says only in words', () => {
  it('is understood all the same, and not repeated', async () => {
    const cases: [string, number, string, string][] = [
      [
        'google/gemini-2.5-pro',
        400,
        '{"error":{"details":[{"reason":"API_KEY_INVALID"}]}}',
        'authentication',
      ],
      ['openai/gpt-4o', 400, '{"error":{"code":"model_not_found","message":"SECRET"}}', 'unknown-model'],
      ['openai/gpt-4o', 429, '{"error":{"code":"insufficient_quota","message":"SECRET"}}', 'payment'],
      [
        'anthropic/claude-sonnet-4-5',
        400,
        '{"error":{"message":"Your credit balance is too low"}}',
        'payment',
      ],
    ];
    for (const [name, status, body, reason] of cases) {
      const { refusal, loopback } = await stage(name, { kind: 'status', status, body });
      const error = await refusal();
      expect(error, name).toMatchObject({ details: { reason, status } });
      expect(JSON.stringify(error)).not.toContain('SECRET');
      expect(loopback.calls.length).toBe(1);
    }
  });

  it('holds how long to wait', async () => {
    const body = '{"error":{"code":429,"message":"m","details":[{"retryDelay":"2.5s"}]}}';
    const { run, slept } = await stage('google/gemini-2.5-pro', [
      { kind: 'status', status: 429, body },
      'good',
    ]);
    expect((await run()).text).toBe('good');
    expect(slept).toEqual([2625]);
  });
});
