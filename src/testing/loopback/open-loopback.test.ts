import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import { embedMany } from 'ai';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { type Loopback, openLoopback } from './open-loopback.js';
import { callRaw, rawRequests } from './raw-caller.js';

let loopback: Loopback;
beforeEach(async () => {
  loopback = await openLoopback({ maxBodyBytes: 1000 });
});
afterEach(() => loopback.close());

const say = async () => JSON.parse((await callRaw(loopback.url, rawRequests.chat(false))).text);
const said = async () => (await say()).choices[0].message.content;

it('keeps every byte of a request, and no key', async () => {
  const body = '{"model": "gpt-5",  "messages": [{"role": "user", "content": "\\u4f60 好"}]}';
  await callRaw(loopback.url, { path: '/v1/chat/completions?key=sk-none', body });
  const [call] = loopback.calls;
  expect(call?.bytes.toString('utf8')).toBe(body);
  expect(call?.body).toMatchObject({ messages: [{ content: '你 好' }] });
  expect(call).toMatchObject({ method: 'POST', model: 'gpt-5', path: '/v1/chat/completions?key=(masked)' });
  expect(call?.headers).toMatchObject({ authorization: '(masked)', 'content-type': 'application/json' });
});

it('says a list line by line and its last line again', async () => {
  loopback.play(['one', { text: 'two' }]);
  expect([await said(), await said(), await said()]).toEqual(['one', 'two', 'two']);
  expect(loopback.calls.map(({ number }) => number)).toEqual([1, 2, 3]);
});

it('asks a function, which sees the call', async () => {
  loopback.play(({ number, protocol }) => `${protocol} ${number}`);
  expect(await said()).toBe('openai-chat 1');
  loopback.play(() => {
    throw new TypeError('from the test');
  });
  expect(await say()).toMatchObject({ error: { message: 'The script of the loopback threw.' } });
});

it('fails the calls it is told to, and owes their lines', async () => {
  loopback.play(['one', 'two'], ({ number }) =>
    number % 2 === 1 ? { kind: 'status', status: 503 } : undefined,
  );
  expect(await say()).toHaveProperty('error');
  expect(await said()).toBe('one');
  expect(await say()).toHaveProperty('error');
  expect(await said()).toBe('two');
});

it('answers the calls that arrive together each with its own line', async () => {
  loopback.play(({ body }) => JSON.stringify(body?.messages));
  const asked = Array.from({ length: 20 }, (_, index) => [{ role: 'user', content: `${index}` }]);
  const answers = await Promise.all(
    asked.map((messages) =>
      callRaw(loopback.url, { path: '/v1/chat/completions', body: { model: 'm', messages } }),
    ),
  );
  expect(answers.map(({ text }) => JSON.parse(JSON.parse(text).choices[0].message.content))).toEqual(asked);
});

it('refuses what no provider takes', async () => {
  const status = async (path: string, body: object | string) =>
    (await callRaw(loopback.url, { path, body })).status;
  expect(await status('/v1/messages', 'no json')).toBe(400);
  expect(await status('/v1/messages', { model: 'claude', messages: [{ role: 'user', content: 'a' }] })).toBe(
    400,
  );
  expect(await status('/v1/responses', { model: 'gpt-5' })).toBe(400);
  expect(await status('/v1/chat/completions', { messages: [] })).toBe(400);
  expect(await status('/v1beta/models/gemini-2.5-flash:generateContent', {})).toBe(400);
  expect(await status('/v1/responses', { model: 'gpt-5', input: 'a'.repeat(1000) })).toBe(413);
});

it('streams Gemini as one array where no events are asked for', async () => {
  const { body } = rawRequests.gemini(true);
  const path = '/v1beta/models/gemini-2.5-flash:streamGenerateContent';
  const seen = await callRaw(loopback.url, { path, body });
  const parts = JSON.parse(seen.text).flatMap(
    (one: { candidates: [{ content: { parts: { text: string }[] } }] }) =>
      one.candidates[0].content.parts.map(({ text }) => text),
  );
  expect(seen.headers['content-type']).toBe('application/json');
  expect(parts.join('')).toBe('Hello wörld');
});

it('embeds the same text the same way, near to its like', async () => {
  const provider = createOpenAICompatible({ name: 'loopback', baseURL: `${loopback.url}/v1` });
  const values = ['the red fox', 'a red fox', '完全不同'];
  const embed = () => embedMany({ model: provider.embeddingModel('small'), values });
  const { embeddings } = await embed();
  expect((await embed()).embeddings).toEqual(embeddings);
  const near = (a: number, b: number) =>
    embeddings[a]!.reduce((sum, value, index) => sum + value * embeddings[b]![index]!, 0);
  expect(near(0, 0)).toBeCloseTo(1);
  expect(near(0, 1)).toBeGreaterThan(near(0, 2));
  expect(
    (await callRaw(loopback.url, { path: '/v1/embeddings', body: { model: 'm', input: [] } })).status,
  ).toBe(400);
});

it('guesses and keeps nothing where no cache is wanted', async () => {
  const quick = await openLoopback({ cache: false });
  const body = { model: 'gpt-5', messages: [{ role: 'user', content: 'word '.repeat(4000) }] };
  const call = () => callRaw(quick.url, { path: '/v1/chat/completions', body });
  await call();
  expect(JSON.parse((await call()).text).usage).toMatchObject({
    prompt_tokens: 5000,
    prompt_tokens_details: { cached_tokens: 0 },
  });
  await quick.close();
});

it('leaves nothing behind when it closes in the middle of an answer', async () => {
  const held = () => process.getActiveResourcesInfo().filter((kind) => /TCP|Timeout/.test(kind)).length;
  const before = held();
  const other = await openLoopback({ script: { kind: 'slow', ms: 3_600_000, after: 'headers' } });
  const waiting = callRaw(other.url, rawRequests.anthropic(true));
  while (other.calls.length === 0) await new Promise(setImmediate);
  await other.close();
  await other.close();
  expect((await waiting).end).toBe('broken');
  while (other.calls[0]?.ending === 'open') await new Promise(setImmediate);
  await new Promise(setImmediate);
  expect(held()).toBeLessThanOrEqual(before);
});
