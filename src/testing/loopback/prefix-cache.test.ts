import { createRequire } from 'node:module';
import fc from 'fast-check';
import { Tiktoken } from 'tiktoken/lite';
import { describe, expect, it } from 'vitest';
import { nastyText } from '../nasty-text.js';
import { anthropicMessages } from './anthropic-messages.js';
import { type CachePolicy, type Prompt, type PromptBlock, prefixCache } from './prefix-cache.js';
import { promptTokens } from './prompt-tokens.js';

const minute = 60_000;
/** Exactly as many tokens as asked for. */
const words = (count: number, word = 'a') => word + ` ${word}`.repeat(count - 1);
const block = (tokens: number, word = 'a', marker?: '5m' | '1h'): PromptBlock => ({
  part: 'messages',
  label: 'user:text',
  text: words(tokens, word),
  ...(marker === undefined ? {} : { marker }),
});

function world(policy: CachePolicy, model = 'm') {
  let now = 0;
  const cache = prefixCache(() => now);
  const look = (blocks: readonly PromptBlock[], more: Partial<Prompt> = {}) => {
    const { input, read, write, writeHour, begin } = cache.look({ model, policy, blocks, ...more });
    return { input, read, write, writeHour, begin };
  };
  return {
    look,
    /** A call that is answered. */
    call(blocks: readonly PromptBlock[], more: Partial<Prompt> = {}) {
      const { begin, ...seen } = look(blocks, more);
      begin();
      return seen;
    },
    pass(ms: number) {
      now += ms;
    },
  };
}

it('counts by the vocabulary, and a run without breaks in good time', () => {
  expect(promptTokens(words(1000)).length).toBe(1000);
  expect(promptTokens('').length).toBe(0);
  const characters = promptTokens('汉'.repeat(40_000)).length;
  expect(characters).toBeGreaterThan(10_000);
  expect(characters).toBeLessThanOrEqual(40_000);
});

it('numbers tokens as their maker does', () => {
  const require = createRequire(import.meta.url);
  const { bpe_ranks, special_tokens, pat_str } = require('tiktoken/encoders/o200k_base.json');
  const judge = new Tiktoken(bpe_ranks, special_tokens, pat_str);
  fc.assert(
    fc.property(nastyText(60), (text) => {
      const bounded = text.slice(0, 199).toWellFormed();
      expect([...promptTokens(bounded)]).toEqual([...judge.encode_ordinary(bounded)]);
    }),
    { numRuns: 500 },
  );
});

describe('a cache of markers', () => {
  const policy = { kind: 'markers', minimumTokens: 1024 } as const;

  it('writes up to the last marker and reads it back', () => {
    const { call } = world(policy);
    const prompt = [block(1500), block(500, 'b', '5m'), block(100, 'c')];
    expect(call(prompt)).toEqual({ input: 2100, read: 0, write: 2000, writeHour: 0 });
    expect(call(prompt)).toEqual({ input: 2100, read: 2000, write: 0, writeHour: 0 });
    const other = [block(1500), block(500, 'b', '5m'), block(70, 'd')];
    expect(call(other)).toMatchObject({ input: 2070, read: 2000, write: 0 });
  });

  it('finds nothing before the first response begins', () => {
    const { look } = world(policy);
    const prompt = [block(2000, 'a', '5m')];
    const first = look(prompt);
    expect(look(prompt).read).toBe(0);
    first.begin();
    expect(look(prompt).read).toBe(2000);
  });

  it('keeps nothing below the minimum, and the minimum itself', () => {
    const { call } = world(policy);
    expect(call([block(1023, 'a', '5m')])).toMatchObject({ write: 0 });
    expect(call([block(1023, 'a', '5m')])).toMatchObject({ read: 0, write: 0 });
    expect(call([block(1024, 'b', '5m')])).toMatchObject({ write: 1024 });
    expect(call([block(1024, 'b', '5m')])).toMatchObject({ read: 1024 });
  });

  it('looks back over twenty positions, the marker counted', () => {
    const begin = [block(2000, 'a', '5m')];
    const later = (count: number) => [
      block(2000, 'a'),
      ...Array.from({ length: count - 1 }, () => block(10, 'b')),
      block(10, 'c', '5m'),
    ];
    const near = world(policy);
    near.call(begin);
    expect(near.call(later(19))).toMatchObject({ read: 2000, write: 190 });
    const far = world(policy);
    far.call(begin);
    expect(far.call(later(20))).toMatchObject({ read: 0, write: 2200 });
  });

  it('reads only at borders that were once marked', () => {
    const { call } = world(policy);
    call([block(1500), block(500, 'b', '5m')]);
    expect(call([block(1500, 'a', '5m'), block(500, 'x')])).toMatchObject({ read: 0, write: 1500 });
  });

  it('reads the longest entry when the end of a conversation moves', () => {
    const { call } = world(policy);
    const system = block(1200, 'a', '5m');
    expect(call([system, block(300, 'b', '5m')])).toMatchObject({ read: 0, write: 1500 });
    expect(call([system, block(300, 'b'), block(200, 'c', '5m')])).toMatchObject({ read: 1500, write: 200 });
    expect(call([system, block(300, 'x', '5m')])).toMatchObject({ read: 1200, write: 300 });
  });

  it('forgets after five minutes without a reader, after an hour where asked', () => {
    const { call, pass } = world(policy);
    const short = [block(2000, 'a', '5m')];
    const long = [block(2000, 'b', '1h'), block(100, 'c', '5m')];
    call(short);
    expect(call(long)).toEqual({ input: 2100, read: 0, write: 2100, writeHour: 2000 });
    pass(4 * minute);
    expect(call(short).read).toBe(2000);
    pass(4 * minute);
    expect(call(short).read).toBe(2000);
    pass(5 * minute);
    expect(call(short).read).toBe(0);
    expect(call(long)).toMatchObject({ read: 2000, write: 100, writeHour: 0 });
    pass(60 * minute);
    expect(call(long).read).toBe(0);
  });

  it('knows another model, other tools and another tool choice for what they are', () => {
    const tool = (name: string) => ({ name, input_schema: { type: 'object' } });
    const body = {
      tools: [tool('one')],
      system: [{ type: 'text', text: words(2000), cache_control: { type: 'ephemeral' } }],
      messages: [
        { role: 'user', content: [{ type: 'text', text: words(500), cache_control: { type: 'ephemeral' } }] },
      ],
    };
    const { call } = world(policy);
    const { input } = call(anthropicMessages.prompt(body));
    const tools = input - 2500;
    expect(call(anthropicMessages.prompt(body)).read).toBe(input);
    expect(call(anthropicMessages.prompt(body), { model: 'other' }).read).toBe(0);
    expect(call(anthropicMessages.prompt({ ...body, tools: [tool('two')] })).read).toBe(0);
    const choice = anthropicMessages.prompt({ ...body, tool_choice: { type: 'none' } });
    expect(call(choice)).toMatchObject({ read: tools + 2000, write: 500 });
  });
});

describe('a cache of tokens', () => {
  const openai = { kind: 'tokens', minimumTokens: 1024, step: 128, lifeMs: 10 * minute } as const;

  it('reads whole steps from the minimum on', () => {
    const { call } = world(openai);
    expect(call([block(1500)])).toEqual({ input: 1500, read: 0, write: 0, writeHour: 0 });
    expect(call([block(1500)]).read).toBe(1408);
    const long = { ...block(1100), text: `${words(1100)}${' b'.repeat(900)}` };
    expect(call([long])).toMatchObject({ input: 2000, read: 1024 });
    expect(call([{ ...long, text: `${words(1023)}${' c'.repeat(900)}` }]).read).toBe(0);
  });

  it('keeps routes apart and forgets in time', () => {
    const { call, pass } = world(openai);
    const route = (name: string) => ({ policy: { ...openai, route: name } });
    call([block(1500)], route('one'));
    expect(call([block(1500)], route('two')).read).toBe(0);
    expect(call([block(1500)], route('one')).read).toBe(1408);
    pass(10 * minute);
    expect(call([block(1500)], route('one')).read).toBe(0);
  });

  it('leaves the last token to be computed where the engine does', () => {
    const { call } = world({ ...openai, minimumTokens: 16, step: 16, lastIsFresh: true });
    call([block(100)]);
    expect(call([block(100)]).read).toBe(96);
    call([block(96, 'b')]);
    expect(call([block(96, 'b')]).read).toBe(80);
  });

  it('reads the whole steps of what two prompts share, however they are cut into blocks', () => {
    fc.assert(
      fc.property(
        fc.array(fc.integer({ min: 1, max: 90 }), { maxLength: 12 }),
        fc.integer({ min: 1, max: 60 }),
        fc.constantFrom(16, 64, 128),
        fc.integer({ min: 0, max: 300 }),
        (shared, tail, step, minimumTokens) => {
          const { call } = world({ ...openai, step, minimumTokens });
          const blocks = shared.map((size) => block(size));
          const common = shared.reduce((sum, size) => sum + size, 0);
          call([...blocks, block(tail, 'x')]);
          const whole = common - (common % step);
          expect(call([...blocks, block(tail, 'y')]).read).toBe(whole >= minimumTokens ? whole : 0);
        },
      ),
    );
  });
});
