import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import fc from 'fast-check';
import { describe, expect, it, onTestFinished } from 'vitest';
import { type Failure, openLoopback } from '../../testing/loopback/open-loopback.js';
import { nastyText } from '../../testing/nasty-text.js';
import { countTokens } from '../contract/count-tokens.js';
import { signInToGoogle } from '../testing/cloud-ground.js';
import { everyCloud, everyProtocol, httpStage as stage } from '../testing/http-stage.js';
import { connect } from './connection.js';
import { endpointNamed } from './endpoint.js';
import { httpModel } from './http-model.js';

/** Every text on the wire, system text first. */
function wireText(body: unknown): string {
  const found: string[] = [];
  const { systemInstruction, ...rest } = body as Record<string, unknown>;
  JSON.parse(
    JSON.stringify([systemInstruction ?? null, rest.system ?? null, { ...rest, system: null }]),
    (name, value) => {
      if ((name === 'text' || name === 'content') && typeof value === 'string') found.push(value);
      return value;
    },
  );
  return found.join('');
}

signInToGoogle();

const system = `${'Rules that never change. 规则不变。\n'.repeat(400)}`;
const settings = `${'设定：the world is flat.\n'.repeat(300)}`;
const volatile = 'What now? 现在呢？\n';
const request = {
  system,
  prompt: settings + volatile,
  cachePoints: { system: [Buffer.byteLength(system)], prompt: [Buffer.byteLength(settings)] },
};

describe('a provider over HTTP is sent', () => {
  for (const name of [...everyProtocol, 'openai/gpt-5.6', ...everyCloud])
    it(`our text byte for byte, wherever it is cut: ${name}`, async () => {
      const { run, loopback } = await stage(name, { text: 'fine' }, { count: () => 1e6 });
      await run(request);
      expect(wireText(loopback.calls[0]?.body)).toBe(system + settings + volatile);
      const words = nastyText(30).filter((text) => text.trim() !== '');
      const points = fc
        .array(fc.nat({ max: 60 }), { maxLength: 6 })
        .map((list) => list.sort((a, b) => a - b));
      await fc.assert(
        fc.asyncProperty(words, words, points, points, async (rules, prompt, inSystem, inPrompt) => {
          loopback.forgetCalls();
          await run({ system: rules, prompt, cachePoints: { system: inSystem, prompt: inPrompt } });
          expect(wireText(loopback.calls[0]?.body)).toBe(rules + prompt);
        }),
        { numRuns: 25 },
      );
    });

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
  it('to many callers at once without a warning', async () => {
    const warnings: string[] = [];
    const listen = (warning: Error) => warnings.push(warning.name);
    process.on('warning', listen);
    const { run } = await stage('openai/gpt-4o', { text: 'fine' });
    const { signal } = new AbortController();
    const answers = await Promise.all(Array.from({ length: 40 }, () => run({}, { signal })));
    await new Promise((resolve) => setImmediate(resolve));
    process.off('warning', listen);
    expect(answers.every(({ text }) => text === 'fine')).toBe(true);
    expect(warnings).toEqual([]);
  });

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
    const endpoint = endpointNamed('custom')!;
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
    onTestFinished(() => elsewhere.close());
    const server = createServer((_, response) => {
      response.writeHead(307, { location: `${elsewhere.url}/v1/messages` }).end();
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const environment = {
      ANTHROPIC_BASE_URL: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
      ANTHROPIC_API_KEY: 'key',
    };
    const model = httpModel(connect(endpointNamed('anthropic')!, environment), 'claude-sonnet-4-5', {
      count: countTokens,
    });
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
