import type { LanguageModelV3CallOptions, LanguageModelV3Prompt } from '@ai-sdk/provider';
import { generateText, wrapLanguageModel } from 'ai';
import { MockLanguageModelV3 } from 'ai/test';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Receipt } from '../../core/model/receipt.js';
import { loadMeter } from '../../meters/load-meter.js';
import { type BudgetOptions, budgetMiddleware } from './budget-middleware.js';
import { type ChatMessage, wordsOf } from './chat-message.js';

const usage = {
  inputTokens: { total: 1, noCache: 1, cacheRead: 0, cacheWrite: 0 },
  outputTokens: { total: 1, text: 1, reasoning: 0 },
};

async function sent(
  messages: LanguageModelV3Prompt,
  options: BudgetOptions,
  { provider = 'openai.chat', modelId = 'gpt-4o', system = 'Be brief.' } = {},
): Promise<{ prompt: readonly ChatMessage[]; receipts: Receipt[] }> {
  const calls: LanguageModelV3CallOptions[] = [];
  const receipts: Receipt[] = [];
  const model = new MockLanguageModelV3({
    provider,
    modelId,
    doGenerate: async (call) => {
      calls.push(call);
      const finishReason = { unified: 'stop' as const, raw: 'stop' };
      return { content: [{ type: 'text', text: 'ok' }], finishReason, usage, warnings: [] };
    },
  });
  const middleware = budgetMiddleware({ ...options, onReceipt: (receipt) => receipts.push(receipt) });
  await generateText({
    model: wrapLanguageModel({ model, middleware }),
    system,
    messages: messages as never,
    maxRetries: 0,
  });
  return { prompt: (calls[0]?.prompt ?? []) as readonly ChatMessage[], receipts };
}

const user = (text: string) => ({ role: 'user' as const, content: [{ type: 'text' as const, text }] });
const said = (text: string) => ({ role: 'assistant' as const, content: [{ type: 'text' as const, text }] });
const toolCall = (id: string) => ({
  role: 'assistant' as const,
  content: [{ type: 'tool-call' as const, toolCallId: id, toolName: 'look', input: { at: id } }],
});
const toolResult = (id: string) => ({
  role: 'tool' as const,
  content: [
    {
      type: 'tool-result' as const,
      toolCallId: id,
      toolName: 'look',
      output: { type: 'text' as const, value: 'word '.repeat(40) },
    },
  ],
});
const textsOf = (prompt: readonly ChatMessage[]) =>
  prompt.map((message) => JSON.stringify(message.content)).join('\n');

describe('a budget for any call of the AI SDK', () => {
  it('refuses options that cannot work where it is made, and names the field', () => {
    const wrong: [string, unknown][] = [
      ['tokens', {}],
      ['tokens', { tokens: 0 }],
      ['tokens', { tokens: 1.5 }],
      ['tokens', { tokens: '60000' }],
      ['meter', { tokens: 100, meter: 'gpt-4o' }],
      ['trim', { tokens: 100, trim: 'hop' }],
      ['onReceipt', { tokens: 100, onReceipt: true }],
      ['token', { tokens: 100, token: 1 }],
    ];
    for (const [field, options] of wrong)
      expect(() => budgetMiddleware(options as never)).toThrow(
        expect.objectContaining({ code: 'INVALID_ARGUMENT', details: { field } }),
      );
  });

  it('changes nothing while everything fits', async () => {
    const { prompt, receipts } = await sent([user('one'), said('two'), user('three')], { tokens: 1000 });
    expect(prompt.map(({ role }) => role)).toEqual(['system', 'user', 'assistant', 'user']);
    expect(receipts[0]?.concessions.made).toBe(0);
  });

  it('lets the oldest exchanges go whole, and says which', async () => {
    const long = 'word '.repeat(60);
    const history = [user(`A ${long}`), said(long), user(`B ${long}`), said(long), user('C now')];
    const { prompt, receipts } = await sent(history, { tokens: 180, trim: 'exact' });
    expect(textsOf(prompt)).not.toContain('A word');
    expect(textsOf(prompt)).toContain('B word');
    expect(textsOf(prompt)).toContain('C now');
    const left = receipts[0]?.ledger.filter(({ verdict }) => verdict === 'conceded');
    expect(left?.map(({ fragment }) => fragment)).toEqual(['message:1', 'message:2']);
  });

  it('keeps a tool result and its call together', async () => {
    const turn = (id: string) => [user(`do ${id}`), toolCall(id), toolResult(id), said(`done ${id}`)];
    const { prompt } = await sent([...turn('a'), ...turn('b'), user('and now?')], {
      tokens: 160,
      trim: 'exact',
    });
    const text = textsOf(prompt);
    expect(text).not.toContain('do a');
    expect(text.match(/"toolCallId":"b"/g)).toHaveLength(2);
    expect(text).not.toContain('"toolCallId":"a"');
  });

  it('keeps or leaves whole exchanges at every budget', async () => {
    const turn = (id: string) => [user(`do ${id}`), toolCall(id), toolResult(id), said(`done ${id}`)];
    const talk = [...turn('a'), ...turn('b'), ...turn('c'), user('and now?')];
    const seen = new Set<number>();
    for (let tokens = 40; tokens <= 400; tokens += 12) {
      for (const trim of ['exact', 'hops'] as const) {
        const text = textsOf((await sent(talk, { tokens, trim })).prompt);
        const kept = ['a', 'b', 'c'].map((id) =>
          text.match(new RegExp(`do ${id}|done ${id}|Id":"${id}"`, 'g')),
        );
        for (const parts of kept) expect([0, 4]).toContain(parts?.length ?? 0);
        seen.add(kept.filter((parts) => parts !== null).length);
      }
    }
    expect([...seen].sort()).toEqual([0, 1, 2, 3]);
  });

  it('counts a file, whatever its bytes', async () => {
    const file = { type: 'file' as const, data: new Uint8Array([1]), mediaType: 'image/png' };
    const picture = { role: 'user' as const, content: [{ type: 'text' as const, text: 'see' }, file] };
    const talk = [picture, said('a cat'), user('and now?')];
    const used = async (tokens: number) => (await sent(talk, { tokens })).prompt.map(({ role }) => role);
    expect(await used(1000)).toEqual(['system', 'user']);
    expect(await used(2000)).toEqual(['system', 'user', 'assistant', 'user']);
  });

  it('refuses when system text and the current exchange alone are too much', async () => {
    await expect(sent([user('word '.repeat(200))], { tokens: 100 })).rejects.toMatchObject({
      code: 'CONTEXT_BUDGET_INFEASIBLE',
    });
  });

  it('in hops, keeps the first message it sends from one call to the next', async () => {
    const exchange = (n: number) => [
      user(`q${n} ${'word '.repeat(20)}`),
      said(`a${n} ${'word '.repeat(20)}`),
    ];
    const firsts: string[] = [];
    for (let length = 12; length < 24; length += 1) {
      const talk = Array.from({ length }, (_, n) => exchange(n)).flat();
      const { prompt } = await sent([...talk, user('next')], { tokens: 500 });
      firsts.push(JSON.stringify(prompt[1]?.content).slice(0, 30));
    }
    expect(new Set(firsts).size).toBeLessThanOrEqual(5);
    expect(new Set(firsts).size).toBeGreaterThan(1);
  });

  it('marks for Anthropic what its cache may keep, from its minimum on, and for nobody else', async () => {
    const system = 'rule '.repeat(1500);
    const options = { tokens: 100_000 };
    const history = [user('one'), said('two'), user('three')];
    const claude = { provider: 'anthropic.messages', modelId: 'claude-sonnet-4-5', system };
    const marks = ({ prompt }: { prompt: readonly ChatMessage[] }) =>
      prompt.flatMap(({ providerOptions }, index) =>
        providerOptions?.anthropic === undefined ? [] : [index],
      );
    expect(marks(await sent(history, options, claude))).toEqual([0, 2]);
    expect(marks(await sent(history, options, { ...claude, system: 'short' }))).toEqual([]);
    expect(marks(await sent(history, options, { system }))).toEqual([]);
  });

  it('is never over budget', async () => {
    const meter = await loadMeter('o200k_base');
    const words = fc.string({ unit: fc.constantFrom('word ', '雨停了', '!', '\n'), maxLength: 60 });
    const turn = fc
      .tuple(words, words)
      .map(([question, answer]) => [user(`q${question}`), said(`a${answer}`)]);
    const budgets = fc.integer({ min: 20, max: 600 });
    await fc.assert(
      fc.asyncProperty(
        fc.array(turn, { maxLength: 12 }),
        budgets,
        fc.boolean(),
        async (turns, tokens, inHops) => {
          const trim = inHops ? 'hops' : 'exact';
          const { prompt } = await sent([...turns.flat(), user('now')], {
            tokens,
            trim,
            meter: 'o200k_base',
          });
          expect(meter.weigh(prompt.map(wordsOf).join(''))).toBeLessThanOrEqual(tokens);
          expect(textsOf(prompt)).toContain('now');
        },
      ),
      { numRuns: 60 },
    );
  });
});

describe('what cannot be weighed', () => {
  it('is refused by us and not by whatever stumbled over it', async () => {
    const ring: Record<string, unknown> = {};
    ring.ring = ring;
    const model = { modelId: 'gpt-4o', provider: 'openai.chat' };
    const { transformParams } = budgetMiddleware({ tokens: 1000 });
    for (const params of [
      { prompt: [user('Hi')], tools: [ring] },
      { prompt: [{ role: 'tool', content: [{ type: 'tool-result', output: 1n }] }] },
      { prompt: [{ role: 'user' }] },
      { prompt: [null] },
    ])
      await expect(transformParams({ params, model })).rejects.toMatchObject({
        name: 'GalleyError',
        code: 'INVALID_ARGUMENT',
        details: { field: 'prompt' },
      });
  });
});
