// The real AI SDK against the loopback: each protocol as its users meet it.
import { createAnthropic } from '@ai-sdk/anthropic';
import { createGoogleGenerativeAI } from '@ai-sdk/google';
import { createOpenAI } from '@ai-sdk/openai';
import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import {
  APICallError,
  dynamicTool,
  generateObject,
  generateText,
  jsonSchema,
  streamObject,
  streamText,
  type ToolSet,
} from 'ai';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type Loopback, openLoopback } from './open-loopback.js';

const apiKey = 'sk-not-to-be-recorded';
let loopback: Loopback;
beforeAll(async () => {
  loopback = await openLoopback();
});
beforeEach(() => {
  loopback.forgetCalls();
  loopback.forgetCache();
  loopback.play(undefined);
});
afterAll(() => loopback.close());

const openai = () => createOpenAI({ apiKey, baseURL: `${loopback.url}/v1` });
const compatible = (name: string) =>
  createOpenAICompatible({
    name,
    apiKey,
    baseURL: `${loopback.url}/${name}/v1`,
    supportsStructuredOutputs: true,
    includeUsage: true,
  });
const anthropic = () => createAnthropic({ apiKey, baseURL: `${loopback.url}/v1` });
const models = {
  'Anthropic Messages': { protocol: 'anthropic-messages', open: () => anthropic()('claude-sonnet-4-5') },
  'OpenAI Responses': { protocol: 'openai-responses', open: () => openai()('gpt-5') },
  'OpenAI Chat Completions': { protocol: 'openai-chat', open: () => openai().chat('gpt-5') },
  Gemini: {
    protocol: 'gemini',
    open: () => createGoogleGenerativeAI({ apiKey, baseURL: `${loopback.url}/v1beta` })('gemini-2.5-flash'),
  },
  DeepSeek: { protocol: 'openai-chat', open: () => compatible('deepseek')('deepseek-chat') },
  Ollama: { protocol: 'openai-chat', open: () => compatible('ollama')('llama3') },
  vLLM: { protocol: 'openai-chat', open: () => compatible('vllm')('qwen3') },
};
const schema = jsonSchema<{ title: string; lines: number[] }>({
  type: 'object',
  properties: { title: { type: 'string' }, lines: { type: 'array', items: { type: 'integer' } } },
  required: ['title', 'lines'],
  additionalProperties: false,
});
const prompt = 'Say 你好 😀 "q"';
const quiet = { maxRetries: 0, onError() {} };

for (const [name, { protocol, open }] of Object.entries(models)) {
  describe(name, () => {
    it('answers in one piece, and records the call without its key', async () => {
      loopback.play({ text: 'Hello 😀 wörld', usage: { input: 17, output: 7, cacheRead: 5 } });
      const { text, finishReason, usage } = await generateText({ model: open(), system: 'Be Max.', prompt });
      expect({ text, finishReason }).toEqual({ text: 'Hello 😀 wörld', finishReason: 'stop' });
      expect(usage).toMatchObject({ inputTokens: 17, outputTokens: 7 });
      if (name !== 'Ollama') expect(usage.inputTokenDetails.cacheReadTokens).toBe(5);
      const [call] = loopback.calls;
      expect(call).toMatchObject({ number: 1, protocol, stream: false, ending: 'sent' });
      expect(call?.bytes.toString('utf8')).toContain(JSON.stringify(prompt).slice(1, -1));
      expect(JSON.stringify([call?.headers, call?.path])).not.toContain(apiKey);
      expect(JSON.stringify(call?.headers)).toContain('(masked)');
    });

    it('streams chunk by chunk', async () => {
      const chunks = ['Hel', 'lo ', '😀 wör', 'ld'];
      loopback.play({ chunks, pauseMs: 1, usage: { input: 17, output: 7 } });
      const stream = streamText({ model: open(), prompt });
      const heard: string[] = [];
      for await (const chunk of stream.textStream) heard.push(chunk);
      expect(heard).toEqual(chunks);
      expect(await stream.finishReason).toBe('stop');
      expect(await stream.usage).toMatchObject({ inputTokens: 17, outputTokens: 7 });
    });

    it('answers in the shape that is asked for, streamed and not', async () => {
      const sample = await generateObject({ model: open(), prompt, schema });
      expect(sample.object).toEqual({ title: 'loopback', lines: [1] });
      expect(loopback.calls[0]?.schema).toMatchObject({ required: ['title', 'lines'] });
      loopback.play({ json: { title: '标题', lines: [1, 2] } });
      const stream = streamObject({ model: open(), prompt, schema, ...quiet });
      for await (const _ of stream.partialObjectStream);
      expect(await stream.object).toEqual({ title: '标题', lines: [1, 2] });
    });

    it('gives prose, half a JSON and another shape where a shape was asked for', async () => {
      for (const kind of ['prose', 'half-json', 'empty'] as const) {
        loopback.play({ kind });
        const failed = await generateObject({ model: open(), prompt, schema, maxRetries: 0 }).catch((e) => e);
        expect(failed.name).toBe('AI_NoObjectGeneratedError');
      }
    });

    it('calls a tool, streamed and not', async () => {
      loopback.play({ toolCalls: [{ name: 'look', input: { path: 'a.ts' } }] });
      const tools: ToolSet = {
        look: dynamicTool({ inputSchema: jsonSchema({ type: 'object' }), execute: () => 'seen' }),
      };
      const whole = await generateText({ model: open(), prompt, tools });
      expect(whole.finishReason).toBe('tool-calls');
      const stream = streamText({ model: open(), prompt, tools });
      for (const calls of [whole.toolCalls, await stream.toolCalls])
        expect(calls).toMatchObject([{ toolName: 'look', input: { path: 'a.ts' } }]);
    });

    it('stops at the limit, and refuses', async () => {
      loopback.play({ text: 'cut', finish: 'length' });
      expect((await generateText({ model: open(), prompt })).finishReason).toBe('length');
      expect(await streamText({ model: open(), prompt }).finishReason).toBe('length');
      if (protocol === 'openai-chat' && name !== 'OpenAI Chat Completions') return;
      loopback.play({ text: 'No.', finish: 'refusal' });
      expect((await generateText({ model: open(), prompt })).finishReason).toBe('content-filter');
      expect(await streamText({ model: open(), prompt }).finishReason).toBe('content-filter');
    });

    it('is asked again after 429, and gives the line it owes', async () => {
      loopback.play(['first', 'second'], { 1: { kind: 'status', status: 429, retryAfterMs: 1 } });
      expect((await generateText({ model: open(), prompt, maxRetries: 1 })).text).toBe('first');
      expect((await generateText({ model: open(), prompt })).text).toBe('second');
      expect(loopback.calls).toHaveLength(3);
    });

    it('fails in ways the SDK tells apart', async () => {
      // Some failures are parts of the stream, some are thrown by it.
      const failure = async () => {
        try {
          const stream = streamText({ model: open(), prompt, ...quiet });
          for await (const part of stream.fullStream) if (part.type === 'error') return part.error;
        } catch (error) {
          return error;
        }
      };
      for (const status of [400, 401, 403, 404, 413, 500, 503, 529]) {
        loopback.play({ kind: 'status', status });
        const told = await failure();
        expect(APICallError.isInstance(told) && told.statusCode).toBe(status);
      }
      for (const line of [{ kind: 'reset' }, { kind: 'cut' }, { kind: 'malformed-event' }] as const) {
        loopback.play(line);
        expect(await failure()).toBeInstanceOf(Error);
      }
      loopback.play({ kind: 'error-event', message: 'Later.' });
      expect(JSON.stringify(await failure())).toContain('Later.');
    });

    it('sees the caller leave', async () => {
      loopback.play({ kind: 'endless' });
      const leave = new AbortController();
      const stream = streamText({ model: open(), prompt, ...quiet, abortSignal: leave.signal });
      for await (const _ of stream.textStream) leave.abort();
      while (loopback.calls[0]?.ending === 'open') await new Promise(setImmediate);
      expect(loopback.calls[0]?.ending).toBe('left');
    });
  });
}

it('reads back from the cache what a marker of the SDK kept', async () => {
  const cached = { anthropic: { cacheControl: { type: 'ephemeral' } } } as const;
  const call = () =>
    generateText({
      allowSystemInMessages: true,
      model: anthropic()('claude-sonnet-4-5'),
      messages: [
        { role: 'system', content: 'word '.repeat(1500), providerOptions: cached },
        { role: 'user', content: 'Hi' },
      ],
    });
  const first = (await call()).usage.inputTokenDetails;
  const second = (await call()).usage.inputTokenDetails;
  expect(first).toMatchObject({ cacheReadTokens: 0, noCacheTokens: 1 });
  expect(first.cacheWriteTokens).toBeGreaterThanOrEqual(1500);
  expect(second).toEqual({ cacheReadTokens: first.cacheWriteTokens, cacheWriteTokens: 0, noCacheTokens: 1 });
});

it('does not know every model when told which there are', async () => {
  const picky = await openLoopback({ models: ['gpt-5'] });
  const provider = createOpenAI({ apiKey, baseURL: `${picky.url}/v1` });
  expect((await generateText({ model: provider('gpt-5'), prompt })).text).toBe('Hello wörld');
  const told = await generateText({ model: provider('gpt-4'), prompt, maxRetries: 0 }).catch(
    (error) => error,
  );
  expect(told).toMatchObject({ statusCode: 404, data: { error: { code: 'model_not_found' } } });
  await picky.close();
});
