import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import type { GalleyError } from '../../core/model/error.js';
import {
  type Failure,
  type Loopback,
  openLoopback,
  type Script,
} from '../../testing/loopback/open-loopback.js';
import { countTokens } from '../count-tokens.js';
import type { ModelRequest, Retry, RunOptions } from '../model.js';
import { connect } from './connection.js';
import { endpoints } from './endpoint.js';
import { type HttpModelOptions, httpModel } from './http-model.js';

const open: Loopback[] = [];
afterEach(async () => {
  await Promise.all(open.splice(0).map((loopback) => loopback.close()));
});
const key = 'sk-secret-key';
const everyProtocol = [
  'anthropic/claude-sonnet-4-5',
  'openai/gpt-4o',
  'google/gemini-2.5-pro',
  'deepseek/deepseek-chat',
];

async function stage(name: string, script?: Script, options: Partial<HttpModelOptions> = {}) {
  const loopback = await openLoopback(script === undefined ? {} : { script });
  open.push(loopback);
  const [family, ...rest] = name.split('/');
  const endpoint = endpoints.find((known) => known.name === family)!;
  const path = { anthropic: '', google: '', openai: '/v1', compatible: `/${family}/v1` }[endpoint.protocol];
  const environment = {
    [endpoint.keyVariables[0]!]: key,
    [endpoint.baseUrlVariables[0]!]: `${loopback.url}${path}`,
  };
  const slept: number[] = [];
  const model = httpModel(connect(endpoint, environment), rest.join('/'), {
    count: countTokens,
    random: () => 0.5,
    sleep: async (ms) => {
      slept.push(ms);
    },
    ...options,
  });
  const run = (request: Partial<ModelRequest> = {}, listeners: Partial<RunOptions> = {}) =>
    model.run(
      { prompt: 'hello', timeouts: { firstByteMs: 30_000, totalMs: 30_000 }, ...request },
      { signal: new AbortController().signal, ...listeners },
    );
  const refusal = (request: Partial<ModelRequest> = {}, listeners: Partial<RunOptions> = {}) =>
    run(request, listeners).then(
      () => expect.unreachable('a refusal was due'),
      (error: unknown) => error as GalleyError,
    );
  return { loopback, model, run, refusal, slept };
}

/** Every text on the wire of one role or part, in order. */
function texts(body: unknown): string[] {
  const found: string[] = [];
  JSON.parse(JSON.stringify(body), (name, value) => {
    if ((name === 'text' || name === 'content') && typeof value === 'string') found.push(value);
    return value;
  });
  return found;
}

const system = `${'Rules that never change. 规则不变。\n'.repeat(400)}`;
const settings = `${'设定：the world is flat.\n'.repeat(300)}`;
const volatile = 'What now? 现在呢？\n';
const request = {
  system,
  prompt: settings + volatile,
  cachePoints: { system: [Buffer.byteLength(system)], prompt: [Buffer.byteLength(settings)] },
};

describe('a provider over HTTP is sent', () => {
  for (const name of [...everyProtocol, 'openai/gpt-5.6']) {
    it(`our text byte for byte: ${name}`, async () => {
      const { run, loopback } = await stage(name);
      await run(request);
      expect(texts(loopback.calls[0]?.body).sort().join('').length).toBe(
        (system + settings + volatile).length,
      );
      const [first, ...rest] = texts(loopback.calls[0]?.body);
      const all = name.startsWith('google')
        ? [...rest.slice(-1), first, ...rest.slice(0, -1)].join('')
        : [first, ...rest].join('');
      expect(all).toBe(system + settings + volatile);
    });
  }

  it('cache markers at the cache points, where they are worth it [prefix.used]', async () => {
    const { run, loopback } = await stage('anthropic/claude-sonnet-4-5');
    await run(request);
    expect(loopback.calls[0]?.body).toMatchObject({
      system: [{ text: system, cache_control: { type: 'ephemeral' } }],
      messages: [{ content: [{ text: settings, cache_control: { type: 'ephemeral' } }, { text: volatile }] }],
    });
    expect(JSON.stringify(loopback.calls[0]?.body).match(/cache_control/g)).toHaveLength(2);
    await run({ ...request, system: 'short', cachePoints: { system: [5], prompt: [20] } });
    expect(JSON.stringify(loopback.calls[1]?.body)).not.toContain('cache_control');
  });

  it('a key for its cache where the cache is its own, and markers where it takes them [prefix.used]', async () => {
    const older = await stage('openai/gpt-4o');
    await older.run(request);
    await older.run({ ...request, prompt: 'something else' });
    const [first, second] = older.loopback.calls.map(({ body }) => body);
    expect(first?.prompt_cache_key).toMatch(/^[0-9a-f]{32}$/);
    expect(second?.prompt_cache_key).toBe(first?.prompt_cache_key);
    expect(first?.store).toBe(false);
    expect(JSON.stringify(first)).not.toContain('breakpoint');
    const newer = await stage('openai/gpt-5.6');
    await newer.run(request);
    expect(JSON.stringify(newer.loopback.calls[0]?.body).match(/prompt_cache_breakpoint/g)).toHaveLength(2);
    for (const name of ['google/gemini-2.5-pro', 'deepseek/deepseek-chat']) {
      const { run, loopback } = await stage(name);
      await run(request);
      expect(JSON.stringify(loopback.calls[0]?.body), name).not.toMatch(/cache/);
    }
  });

  it('the shape of the answer in its own way', async () => {
    const schema = {
      type: 'object',
      properties: { verdict: { type: 'string' } },
      required: ['verdict'],
      additionalProperties: false,
    };
    for (const name of [
      'anthropic/claude-sonnet-4-5',
      'openai/gpt-4o',
      'google/gemini-2.5-pro',
      'vllm/qwen3',
    ]) {
      const { run, loopback } = await stage(name);
      const answer = await run({ shape: { name: 'a verdict', schema } });
      expect(JSON.parse(answer.text), name).toEqual({ verdict: 'loopback' });
      expect(loopback.calls[0]?.schema, name).toMatchObject({ properties: { verdict: { type: 'string' } } });
    }
    const loose = { type: 'object', properties: { verdict: { type: 'string' } } };
    const { run, loopback } = await stage('openai/gpt-4o');
    await run({ shape: { name: 'verdict', schema: loose } });
    expect(loopback.calls[0]?.body).toMatchObject({ text: { format: { strict: false } } });
  });

  it('the limit of the answer, and an answer that reached it says so', async () => {
    for (const name of everyProtocol) {
      const { run, loopback } = await stage(name, { text: 'half an ans', finish: 'length' });
      expect(await run({ maxOutputTokens: 77 }), name).toMatchObject({
        text: 'half an ans',
        finish: 'length',
      });
      expect(JSON.stringify(loopback.calls[0]?.body), name).toContain('77');
    }
  });
});

describe('a provider over HTTP reports', () => {
  it('what it read from its cache and wrote to it', async () => {
    const { run } = await stage('anthropic/claude-sonnet-4-5');
    const { usage: first } = await run(request);
    expect(first?.cacheWriteTokens).toBeGreaterThan(1024);
    expect(first).toMatchObject({ cachedInputTokens: 0 });
    const { usage: second } = await run(request);
    expect(second).toMatchObject({ cachedInputTokens: first?.cacheWriteTokens, cacheWriteTokens: 0 });
    expect(second?.inputTokens).toBe(first?.inputTokens);
  });
});

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

describe('an answer over HTTP', () => {
  it('is refused when the model declines', async () => {
    for (const name of everyProtocol) {
      const { refusal } = await stage(name, { text: 'I cannot.', finish: 'refusal' });
      expect(await refusal(), name).toMatchObject({ code: 'MODEL_REFUSED', details: { reason: 'refused' } });
    }
  });

  it('is refused when it is a page, a lone JSON value, or torn anywhere', async () => {
    const bad: Failure[] = [
      { kind: 'malformed-body' },
      { kind: 'malformed-event' },
      { kind: 'cut', at: 'mid-event' },
      { kind: 'cut', at: 'mid-character' },
      { kind: 'cut', at: 'mid-event', cleanly: true },
      { kind: 'cut', at: 'before-final', cleanly: true },
      { kind: 'error-event' },
    ];
    for (const name of everyProtocol)
      for (const failure of bad) {
        const { refusal } = await stage(name, failure, { attempts: 1 });
        const { code } = await refusal();
        const expected = failure.kind.startsWith('malformed') ? 'MODEL_ANSWER_INVALID' : 'MODEL_UNAVAILABLE';
        expect(code, `${name} ${JSON.stringify(failure)}`).toBe(expected);
      }
  });

  it('that never ends a line is stopped before it fills the memory', async () => {
    const chunk = Buffer.alloc(1024 * 1024, 'x');
    const server = createServer((_, response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      const pour = () => {
        while (!response.destroyed && response.write(chunk));
      };
      response.on('drain', pour);
      pour();
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const environment = { GALLEY_BASE_URL: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1` };
    const endpoint = endpoints.find(({ name }) => name === 'custom')!;
    const model = httpModel(connect(endpoint, environment), 'any', { count: countTokens });
    const run = model.run(
      { prompt: 'hello', timeouts: { firstByteMs: 30_000, totalMs: 30_000 } },
      { signal: new AbortController().signal },
    );
    await expect(run).rejects.toMatchObject({
      code: 'MODEL_ANSWER_INVALID',
      details: { reason: 'too-large' },
    });
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });

  it('is not looked for elsewhere: a redirect carries no key away', async () => {
    const elsewhere = await openLoopback();
    open.push(elsewhere);
    const server = createServer((_, response) => {
      response.writeHead(307, { location: `${elsewhere.url}/v1/messages` }).end();
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const environment = {
      ANTHROPIC_BASE_URL: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
      ANTHROPIC_API_KEY: key,
    };
    const model = httpModel(connect(endpoints[0]!, environment), 'claude-sonnet-4-5', { count: countTokens });
    const run = model.run(
      { prompt: 'hello', timeouts: { firstByteMs: 30_000, totalMs: 30_000 } },
      { signal: new AbortController().signal },
    );
    await expect(run).rejects.toMatchObject({ code: 'MODEL_UNAVAILABLE', details: { reason: 'redirect' } });
    expect(elsewhere.calls.length).toBe(0);
    await new Promise((resolve) => server.close(resolve));
  });

  it('that cannot come because nobody is there says where to look', async () => {
    const { refusal, loopback, slept } = await stage('deepseek/deepseek-chat');
    await loopback.down();
    const error = await refusal();
    expect(error).toMatchObject({
      code: 'MODEL_UNAVAILABLE',
      details: { reason: 'connection', kind: 'ECONNREFUSED', attempts: 5 },
    });
    expect(error.message).toContain('DEEPSEEK_BASE_URL');
    expect(slept.length).toBe(4);
  });
});
