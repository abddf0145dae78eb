// What is said of requests one after the other: which block broke the prefix, what was dropped, which request goes on from which.
import { describe, expect, it } from 'vitest';
import { builtInCatalog } from '../../models/catalog/catalog.js';
import { createWatchRecord, type SettledRequest } from './watch-record.js';

type Body = Record<string, unknown>;

async function watched(bodies: readonly Body[], path = '/v1/messages', usages: readonly Body[] = []) {
  const settled: SettledRequest[] = [];
  const record = createWatchRecord({
    catalog: builtInCatalog,
    clock: () => 0,
    show: (name) => `shown:${name}`,
    onRequest: (request) => settled.push(request),
  });
  for (const [at, body] of bodies.entries()) {
    const exchange = record.listen({ method: 'POST', path });
    exchange.body(Buffer.from(JSON.stringify(body)));
    exchange.answered(200);
    const usage = usages[at];
    if (usage !== undefined) exchange.chunk(Buffer.from(JSON.stringify({ usage })));
    exchange.ended('whole');
  }
  return { ...(await record.finish()), settled };
}

const long = (word: string) => `${word} `.repeat(200);
const tools = ['Bash', 'Read', 'Edit'].map((name) => ({ name, description: long(name), input_schema: {} }));
const system = [
  { type: 'text', text: 'You are an agent.' },
  { type: 'text', text: long('Be careful.'), cache_control: { type: 'ephemeral' } },
];
const user = (text: string) => ({ role: 'user', content: text });
const turns = [
  user('Rename convert to exchange.'),
  {
    role: 'assistant',
    content: [{ type: 'tool_use', id: 't1', name: 'Read', input: { file_path: '/home/ada/rates.ts' } }],
  },
  { role: 'user', content: [{ type: 'tool_result', tool_use_id: 't1', content: long('rate') }] },
];
const asked = (more: Body = {}) => ({ model: 'claude-sonnet-4-5', tools, system, messages: turns, ...more });
const marked = (text: string) => ({
  role: 'user',
  content: [{ type: 'text', text, cache_control: { type: 'ephemeral' } }],
});

describe('what fills a request', () => {
  it('is told by kind, the heaviest by tool and file, and never as text', async () => {
    const { conversations, newest } = await watched([asked()]);
    const [conversation] = conversations;
    expect(newest[0]?.shares.map(({ kind }) => kind)).toEqual(['system', 'tools', 'messages', 'results']);
    expect(conversation?.heaviest.map(({ part, tool }) => `${part} ${tool}`).slice(0, 5)).toEqual(
      expect.arrayContaining(['tools Bash', 'tools Read', 'tools Edit', 'result Read']),
    );
    expect(conversation?.heaviest.find(({ part }) => part === 'result')?.target).toBe(
      'shown:/home/ada/rates.ts',
    );
    expect(JSON.stringify(conversations)).not.toMatch(/careful|Rename|rate rate/);
  });

  it('adds up to what the provider counted', async () => {
    const usage = {
      input_tokens: 12,
      cache_read_input_tokens: 900,
      cache_creation_input_tokens: 88,
      output_tokens: 5,
    };
    const { newest } = await watched([asked()], '/v1/messages', [usage]);
    expect(newest[0]).toMatchObject({ tokens: 1000, usage: { inputTokens: 1000, cachedInputTokens: 900 } });
    const sum = newest[0]?.shares.reduce((total, { tokens }) => total + tokens, 0) ?? 0;
    expect(Math.abs(sum - 1000)).toBeLessThan(5);
  });
});

describe('what broke the prefix', () => {
  const next = [...turns, { role: 'assistant', content: 'Done.' }, marked('And now?')];
  const broken = async (more: Body) => (await watched([asked(), asked({ messages: next, ...more })])).breaks;

  it('is nothing where a request goes on, wherever its cache marks stand', async () => {
    const moved = [marked('Rename convert to exchange.'), ...next.slice(1)];
    expect(
      await broken({ messages: moved, system: system.map(({ type, text }) => ({ type, text })) }),
    ).toEqual([]);
  });

  it('is a tool, by its number and the path', async () => {
    const changed = tools.map((tool, at) =>
      at === 1 ? { ...tool, input_schema: { type: 'object' } } : tool,
    );
    expect(await broken({ tools: changed })).toMatchObject([
      {
        cause: 'tool',
        request: 2,
        block: {
          section: 'tools',
          number: 2,
          tool: 'Read',
          change: 'changed',
          path: 'tools[1].input_schema.type',
        },
      },
    ]);
    expect(await broken({ tools: tools.slice(0, 2) })).toMatchObject([
      { cause: 'tool', block: { number: 3, tool: 'Edit', change: 'removed', path: 'tools[2]' } },
    ]);
  });

  it('is a block of the system text', async () => {
    const changed = [system[0], { type: 'text', text: long('Be bold.') }];
    const [first] = await broken({ system: changed });
    expect(first).toMatchObject({
      cause: 'system',
      block: { section: 'system', number: 2, change: 'changed', path: 'system[1].text' },
    });
    expect(first?.sameTokens).toBeGreaterThan(400);
    expect(first?.againTokens).toBeGreaterThan(200);
  });

  it('is an edited message', async () => {
    const edited = next.map((message, at) =>
      at === 2
        ? { role: 'user', content: [{ type: 'tool_result', tool_use_id: 't1', content: '[cleared]' }] }
        : message,
    );
    expect(await broken({ messages: edited })).toMatchObject([
      {
        cause: 'message',
        block: {
          section: 'messages',
          number: 3,
          part: 'result',
          tool: 'Read',
          path: 'messages[2].content[0].content',
        },
        dropped: { messages: 1 },
      },
    ]);
  });

  it('is a setting, a model, or going back', async () => {
    expect(await broken({ thinking: { type: 'enabled' } })).toMatchObject([
      { cause: 'settings', block: { path: 'thinking' } },
    ]);
    expect(await broken({ model: 'claude-opus-4-5' })).toMatchObject([{ cause: 'model' }]);
    const back = await watched([
      asked({ messages: next }),
      asked({ messages: [turns[0], turns[1], user('Stop.')] }),
    ]);
    expect(back.breaks).toMatchObject([{ cause: 'rewind', block: { number: 3 } }]);
  });

  it('is the provider where nothing changed and less was read', async () => {
    const used = (read: number, write: number) => ({
      input_tokens: 10,
      cache_read_input_tokens: read,
      cache_creation_input_tokens: write,
    });
    const bodies = [asked(), asked({ messages: next })];
    const lost = await watched(bodies, '/v1/messages', [used(0, 5000), used(0, 5100)]);
    expect(lost.breaks).toMatchObject([{ cause: 'provider', sameTokens: 0, againTokens: 5000 }]);
    const kept = await watched(bodies, '/v1/messages', [used(0, 5000), used(5000, 100)]);
    expect(kept.breaks).toEqual([]);
  });
});

describe('what was dropped', () => {
  it('is counted at a compaction, by who said it', async () => {
    const summary = user('This session is being continued from a previous conversation. It was long.');
    const { breaks, conversations } = await watched([asked(), asked({ messages: [summary] })]);
    expect(conversations).toHaveLength(1);
    expect(breaks).toMatchObject([
      { cause: 'compaction', block: { number: 1, part: 'summary' }, dropped: { messages: 3 } },
    ]);
    expect(breaks[0]?.dropped?.of.result).toBeGreaterThan(150);
  });

  it('is counted where old messages are simply left out', async () => {
    const { breaks } = await watched([asked(), asked({ messages: [...turns.slice(2)] })]);
    expect(breaks).toMatchObject([{ cause: 'compaction', dropped: { messages: 2 } }]);
  });
});

describe('which goes on from which', () => {
  it('keeps titles and helpers apart from the conversation', async () => {
    const title = {
      model: 'claude-haiku-4-5',
      system: 'Write a title.',
      messages: [user('Rename convert to exchange.')],
    };
    const helper = asked({ system: 'You explore.', messages: [user('Find convert.')] });
    const { conversations, breaks } = await watched([
      asked(),
      title,
      helper,
      asked({ messages: [...turns, user('More.')] }),
    ]);
    expect(conversations.map(({ requests }) => requests)).toEqual([2, 1, 1]);
    expect(breaks).toEqual([]);
  });

  it('goes by the name a CLI gives its conversation', async () => {
    const session = (id: string) => ({ metadata: { user_id: `user_a_account_b_session_${id}-0000-4000` } });
    const { conversations } = await watched([asked(session('11111111')), asked(session('22222222'))]);
    expect(conversations).toHaveLength(2);
  });
});

describe('other protocols', () => {
  it('reads Responses, Chat Completions and Gemini by the same words', async () => {
    const call = { type: 'function_call', name: 'shell', call_id: 'c', arguments: '{"path":"a.ts"}' };
    const output = { type: 'function_call_output', call_id: 'c', output: 'done' };
    const input = [
      { type: 'message', role: 'user', content: [{ type: 'input_text', text: 'Go.' }] },
      call,
      output,
    ];
    const responses = { model: 'gpt-5', instructions: 'Be brief.', tools: [{ name: 'shell' }], input };
    const one = await watched(
      [responses, { ...responses, instructions: 'Be long.' }],
      '/backend-api/codex/responses',
    );
    expect(one.breaks).toMatchObject([{ cause: 'system', block: { number: 1, path: 'instructions' } }]);
    expect(one.settled[0]?.blocks.map(({ part }) => part)).toEqual([
      'system',
      'system',
      'tools',
      'user',
      'call',
      'result',
    ]);
    expect(one.exact).toBe(true);

    const chat = {
      model: 'gpt-4o',
      messages: [{ role: 'system', content: 'Hi.' }, user('Go.'), user('On.')],
    };
    const edited = { ...chat, messages: [{ role: 'system', content: 'Ho.' }, user('Go.'), user('On.')] };
    const two = await watched([chat, edited], '/v1/chat/completions');
    expect(two.breaks).toMatchObject([
      { cause: 'message', block: { part: 'system', path: 'messages[0].content' } },
    ]);

    const gemini = {
      systemInstruction: { parts: [{ text: 'Be kind.' }] },
      tools: [{ functionDeclarations: [{ name: 'read_file' }] }],
      contents: [{ role: 'user', parts: [{ text: 'Go.' }] }],
    };
    const grown = {
      ...gemini,
      tools: [{ functionDeclarations: [{ name: 'read_file' }, { name: 'replace' }] }],
    };
    const three = await watched([gemini, grown], '/v1beta/models/gemini-2.5-flash:streamGenerateContent');
    expect(three.breaks).toMatchObject([
      {
        cause: 'tool',
        block: { number: 2, tool: 'replace', change: 'added', path: 'tools[0].functionDeclarations[1]' },
      },
    ]);
  });

  it('counts what cannot be read, and lets it be', async () => {
    const record = createWatchRecord({ catalog: builtInCatalog, clock: () => 0, show: (path) => path });
    for (const bytes of [
      undefined,
      Buffer.from('no JSON'),
      Buffer.from('[1]'),
      Buffer.from('{"messages":3}'),
    ]) {
      const exchange = record.listen({ method: 'POST', path: '/v1/messages' });
      exchange.body(bytes);
      exchange.ended('whole');
    }
    expect(await record.finish()).toMatchObject({ unread: 3, requests: 1 });
  });
});
