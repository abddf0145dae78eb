// What the cache model finds, read back from the fields of each protocol.
import { afterEach, beforeEach, expect, it } from 'vitest';
import { type Loopback, openLoopback } from './open-loopback.js';
import { callRaw } from './raw-caller.js';

const words = (count: number, word = 'a') => word + ` ${word}`.repeat(count - 1);
let now = 0;
let loopback: Loopback;
beforeEach(async () => {
  now = 0;
  loopback = await openLoopback({ clock: () => now, script: 'ok' });
});
afterEach(() => loopback.close());

/** The usage of the answer, or of the last event that has one. */
async function usage(path: string, body: object, field = 'usage') {
  const { text } = await callRaw(loopback.url, { path, body });
  if (text.startsWith('{')) return JSON.parse(text)[field];
  const events = text
    .split('\n')
    .flatMap((line) => (line.startsWith('data: {') ? [JSON.parse(line.slice(6))] : []));
  const told = events.flatMap((event) => event[field] ?? event.response?.[field] ?? []);
  return told.at(-1);
}

const marked = (text: string, ttl?: '1h') => ({
  type: 'text',
  text,
  cache_control: { type: 'ephemeral', ...(ttl === undefined ? {} : { ttl }) },
});
const message = (system: readonly object[], more: object = {}) => ({
  model: 'claude-sonnet-4-5',
  max_tokens: 9,
  system,
  messages: [{ role: 'user', content: words(50, 'q') }],
  ...more,
});

it('reports reads and writes of Anthropic, streamed and not', async () => {
  const body = message([marked(words(2000))]);
  expect(await usage('/v1/messages', body)).toMatchObject({
    input_tokens: 50,
    cache_creation_input_tokens: 2000,
    cache_read_input_tokens: 0,
    cache_creation: { ephemeral_5m_input_tokens: 2000, ephemeral_1h_input_tokens: 0 },
  });
  expect(await usage('/v1/messages', { ...body, stream: true })).toMatchObject({
    input_tokens: 50,
    cache_creation_input_tokens: 0,
    cache_read_input_tokens: 2000,
  });
  expect(loopback.calls.at(-1)?.usage).toMatchObject({ input: 2050, cacheRead: 2000, cacheWrite: 0 });
  now = 5 * 60_000;
  expect(await usage('/v1/messages', body)).toMatchObject({ cache_read_input_tokens: 0 });
});

it('knows the minimum of each model', async () => {
  const written = async (model: string, tokens: number) => {
    const told = await usage('/v1/messages', message([marked(words(tokens))], { model }));
    return told.cache_creation_input_tokens;
  };
  expect(await written('claude-sonnet-4-5', 1024)).toBe(1024);
  expect(await written('claude-3-5-haiku-latest', 2047)).toBe(0);
  expect(await written('claude-3-5-haiku-latest', 2048)).toBe(2048);
  expect(await written('claude-opus-4-5', 4095)).toBe(0);
  expect(await written('claude-opus-4-5', 4096)).toBe(4096);
});

it('marks the end of the prompt when the request as a whole asks for it', async () => {
  const body = message([{ type: 'text', text: words(1500) }], { cache_control: { type: 'ephemeral' } });
  await usage('/v1/messages', body);
  expect(await usage('/v1/messages', body)).toMatchObject({ cache_read_input_tokens: 1550, input_tokens: 0 });
});

it('refuses five markers, an empty block that is marked, and an hour after five minutes', async () => {
  const refused = async (system: readonly object[]) =>
    (await callRaw(loopback.url, { path: '/v1/messages', body: message(system) })).status;
  const some = (count: number) => Array.from({ length: count }, (_, index) => marked(words(9, `w${index}`)));
  expect(await refused(some(4))).toBe(200);
  expect(await refused(some(5))).toBe(400);
  expect(await refused([marked('')])).toBe(400);
  expect(await refused([marked('a', '1h'), marked('b')])).toBe(200);
  expect(await refused([marked('a'), marked('b', '1h')])).toBe(400);
});

it('keeps nothing of a call that failed', async () => {
  const body = message([marked(words(2000))]);
  loopback.play(['ok', 'ok'], { 1: { kind: 'status', status: 529 } });
  await usage('/v1/messages', body);
  expect(await usage('/v1/messages', body)).toMatchObject({ cache_read_input_tokens: 0 });
});

it('lets a second call read only once the first answer has begun', async () => {
  const body = message([marked(words(2000))]);
  let open = () => {};
  const gate = new Promise<void>((resolve) => {
    open = resolve;
  });
  loopback.play(async ({ number }) => {
    if (number === 1) await gate;
    return 'ok';
  });
  const first = usage('/v1/messages', body);
  while (loopback.calls.length === 0) await new Promise(setImmediate);
  expect(await usage('/v1/messages', body)).toMatchObject({ cache_read_input_tokens: 0 });
  open();
  await first;
  expect(await usage('/v1/messages', body)).toMatchObject({ cache_read_input_tokens: 2000 });
});

it('reports what OpenAI caches, by route', async () => {
  const body = (key: string, input: string) => ({
    model: 'gpt-5',
    instructions: words(1300),
    input,
    prompt_cache_key: key,
  });
  const cached = async (key: string, input: string, stream: boolean) =>
    (await usage('/v1/responses', { ...body(key, input), stream })).input_tokens_details.cached_tokens;
  expect(await cached('one', 'first', false)).toBe(0);
  expect(await cached('one', 'second', true)).toBe(1280);
  expect(await cached('two', 'second', false)).toBe(0);
});

it('keeps what breakpoints mark, to the token, from gpt-5.6 on', async () => {
  const part = (text: string, marked: boolean) => ({
    type: 'input_text',
    text,
    ...(marked ? { prompt_cache_breakpoint: { mode: 'explicit' } } : {}),
  });
  const call = async (question: string, marked: boolean, mode: 'implicit' | 'explicit') => {
    const content = [part(words(1300), marked), part(question, false)];
    const body = { model: 'gpt-5.6', input: [{ role: 'user', content }], prompt_cache_options: { mode } };
    return (await usage('/v1/responses', body)).input_tokens_details;
  };
  expect(await call('a', false, 'explicit')).toEqual({ cached_tokens: 0, cache_write_tokens: 0 });
  expect(await call('b', true, 'explicit')).toEqual({ cached_tokens: 0, cache_write_tokens: 1300 });
  expect(await call('c', true, 'implicit')).toEqual({ cached_tokens: 1300, cache_write_tokens: 1 });
  expect(await call('c', true, 'implicit')).toEqual({ cached_tokens: 1301, cache_write_tokens: 0 });
  now = 30 * 60_000;
  expect(await call('c', true, 'implicit')).toEqual({ cached_tokens: 0, cache_write_tokens: 1301 });
});

it('reports what those compatible with OpenAI cache, each in its own fields', async () => {
  const body = {
    model: 'm',
    stream_options: { include_usage: true },
    messages: [
      { role: 'system', content: words(1300) },
      { role: 'user', content: 'hi' },
    ],
  };
  const twice = async (path: string) => {
    await usage(path, body);
    return [await usage(path, body), await usage(path, { ...body, stream: true })];
  };
  for (const told of await twice('/v1/chat/completions'))
    expect(told).toMatchObject({ prompt_tokens: 1301, prompt_tokens_details: { cached_tokens: 1280 } });
  for (const told of await twice('/deepseek/chat/completions'))
    expect(told).toMatchObject({ prompt_cache_hit_tokens: 1280, prompt_cache_miss_tokens: 21 });
  for (const told of await twice('/vllm/v1/chat/completions'))
    expect(told).toMatchObject({ prompt_tokens_details: { cached_tokens: 1296 } });
  for (const told of await twice('/ollama/v1/chat/completions'))
    expect(told).toEqual({ prompt_tokens: 1301, completion_tokens: 1, total_tokens: 1302 });
});

it('reports what Gemini caches', async () => {
  const body = (count: number) => ({
    systemInstruction: { parts: [{ text: words(count) }] },
    contents: [{ role: 'user', parts: [{ text: 'hi' }] }],
  });
  const call = (method: string, count: number) =>
    usage(`/v1beta/models/gemini-2.5-flash:${method}`, body(count), 'usageMetadata');
  await call('generateContent', 2050);
  expect(await call('generateContent', 2050)).toMatchObject({
    promptTokenCount: 2051,
    cachedContentTokenCount: 2048,
  });
  expect(await call('streamGenerateContent?alt=sse', 2050)).toMatchObject({ cachedContentTokenCount: 2048 });
  await call('generateContent', 2000);
  expect(await call('generateContent', 2000)).not.toHaveProperty('cachedContentTokenCount');
});

it('counts tokens without answering', async () => {
  const { max_tokens: _, ...body } = message([]);
  const anthropic = await callRaw(loopback.url, { path: '/v1/messages/count_tokens', body });
  expect(JSON.parse(anthropic.text)).toEqual({ input_tokens: 50 });
  const contents = [{ role: 'user', parts: [{ text: words(7) }] }];
  const gemini = await callRaw(loopback.url, { path: '/v1beta/models/g:countTokens', body: { contents } });
  expect(JSON.parse(gemini.text)).toEqual({ totalTokens: 7 });
  expect(loopback.calls).toHaveLength(0);
  expect(loopback.strays).toHaveLength(2);
});
