// What a message may be besides a name and a text, and which of them survive a budget of bytes or tokens.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { loadMeter } from '../meters/load-meter.js';
import { assembleTurn } from './assemble-turn.js';
import type { AssemblerInput } from './assembler-input.js';
import { ClaudeContextAssembler } from './assemblers.js';
import { turnMeter } from './turn-meter.js';

const meter = await loadMeter('o200k_base');
const turn = (input: Partial<AssemblerInput>) =>
  assembleTurn('claude-code', { contextMessages: [], currentMessage: 'Go on.', ...input }, { meter });
const codeOf = (run: () => unknown) => {
  try {
    run();
  } catch (error) {
    return (error as { code?: string }).code;
  }
  return undefined;
};

describe('a message', () => {
  it('is set alike with id, time and role, and the receipt names it by its id', () => {
    const bare = { from: 'max', to: 'sarah', content: 'Hi' };
    const full = { ...bare, id: '4f1c-9', timestamp: '2026-01-02T03:04:05Z', role: 'user' };
    const { prompt, receipt } = turn({ contextMessages: [full] });
    expect(prompt).toBe(turn({ contextMessages: [bare] }).prompt);
    expect(receipt.ledger.map(({ fragment }) => fragment)).toContain('message#4f1c-9');
    expect(codeOf(() => turn({ contextMessages: [{ ...bare, id: 'my secret' }] }))).toBe('INVALID_ARGUMENT');
  });

  it('may be in parts; a file is named and never sent', () => {
    const content = [
      { type: 'text' as const, text: 'Look at this:' },
      { type: 'file' as const, path: 'docs/plan.md' },
      { type: 'text' as const, text: 'and answer.' },
    ];
    const { prompt } = turn({ contextMessages: [{ from: 'max', content }], currentMessage: content });
    const text = 'Look at this:\n[file: docs/plan.md]\nand answer.';
    expect(prompt).toBe(`[CONTEXT]\n- max -> all: ${text}\n\n[MESSAGE]\n${text}`);
    const bytes = [{ type: 'file', path: 'a.png', data: 'iVBO' }] as unknown as string;
    expect(codeOf(() => turn({ currentMessage: bytes }))).toBe('INVALID_ARGUMENT');
  });

  it('names the field of a fault inside a message that may be of two kinds [errors.closed]', () => {
    const parts = [{ type: 'text', text: 7 }] as unknown as string;
    expect(() => turn({ contextMessages: [{ from: 'a', content: parts }] })).toThrow(
      expect.objectContaining({ details: { field: 'contextMessages[0].content[0].text' } }),
    );
  });
});

describe('system text', () => {
  it('may be a list: every element trimmed, empty ones left out, one newline between', () => {
    const of = (systemInstruction: string | string[], instructionFileText?: string) =>
      new ClaudeContextAssembler().assemble({
        ...{ contextMessages: [], currentMessage: 'x', systemInstruction, instructionFileText },
      }).systemFlag;
    expect(of([' You are Max. ', '', '  ', 'Be brief.\n'])).toBe('You are Max.\nBe brief.');
    expect(of(['a', 'b'], 'c')).toBe('a\nb\n\nc');
    expect(of([])).toBeUndefined();
    expect(of(['  '])).toBeUndefined();
    expect(of(['only'])).toBe(of('only'));
  });
});

const messages = fc.array(
  fc.record({
    length: fc.integer({ min: 0, max: 120 }),
    priority: fc.constantFrom(undefined, -2, 0, 1, 5),
    pinned: fc.constantFrom(undefined, false, true),
  }),
  { maxLength: 30 },
);
const asMessages = (of: readonly { length: number; priority?: number; pinned?: boolean }[]) =>
  of.map(({ length, priority, pinned }, at) => ({
    ...{ id: `m${at}`, from: 'a', content: `${at} ${'word '.repeat(length / 4)}` },
    ...(priority === undefined ? {} : { priority }),
    ...(pinned === undefined ? {} : { pinned }),
  }));

describe('priorities and pins', () => {
  it('lets a lower priority go first, the older of equals, and never what is pinned', () => {
    let trimmed = 0;
    let refused = 0;
    const law = (trim: 'exact' | 'hops', unit: 'maxBytes' | 'maxTokens') =>
      fc.property(messages, fc.integer({ min: 40, max: 900 }), (shape, limit) => {
        const contextMessages = asMessages(shape as Parameters<typeof asMessages>[0]);
        const set = () => turn({ contextMessages, trim, [unit]: limit });
        const pinnedOnly = () =>
          turn({
            contextMessages: contextMessages.filter(({ pinned }) => pinned),
            currentMessage: '',
            [unit]: limit,
          });
        if (codeOf(pinnedOnly) === 'CONTEXT_BUDGET_INFEASIBLE') {
          refused += 1;
          expect(codeOf(set)).toBe('CONTEXT_BUDGET_INFEASIBLE');
          return;
        }
        const { prompt, receipt } = set();
        expect(receipt.used.n).toBeLessThanOrEqual(limit);
        const isKept = contextMessages.map(({ content }) => prompt.includes(`- a -> all: ${content}`));
        if (isKept.includes(false)) trimmed += 1;
        contextMessages.forEach((lost, at) => {
          if (isKept[at]) return;
          expect(lost.pinned).not.toBe(true);
          contextMessages.forEach((other, place) => {
            if (!isKept[place] || other.pinned) return;
            const [low, high] = [other.priority ?? 0, lost.priority ?? 0];
            expect(low > high || (low === high && place > at)).toBe(true);
          });
        });
      });
    fc.assert(law('exact', 'maxBytes'));
    fc.assert(law('exact', 'maxTokens'));
    fc.assert(law('hops', 'maxTokens'));
    expect(trimmed).toBeGreaterThan(40);
    expect(refused).toBeGreaterThan(5);
  });
});

describe('a budget in tokens', () => {
  it('is kept to as the whole text is counted, and filled', () => {
    const contextMessages = Array.from({ length: 60 }, (_, at) => ({
      from: 'a',
      content: `第${at}条消息，关于登录。`,
    }));
    const { prompt, receipt } = turn({ contextMessages, maxTokens: 300 });
    expect(receipt.budget).toEqual({ unit: 'tokens', n: 300 });
    const count = meter.weigh(prompt) / meter.scale;
    expect(count).toBeLessThanOrEqual(300);
    expect(count).toBeGreaterThan(270);
  });

  it('is counted by the meter that is named, by that of the model, or by that of the agent', async () => {
    const idOf = async (name: string | undefined) =>
      (await turnMeter('openai-codex', { maxTokens: 1, ...(name === undefined ? {} : { meter: name }) }))?.id;
    expect(await idOf(undefined)).toBe('o200k_base');
    expect(await idOf('cjk-estimate')).toBe('cjk-estimate');
    expect(await idOf('gpt-4-turbo')).toBe('cl100k_base');
    expect(await turnMeter('openai-codex', {})).toBeUndefined();
    await expect(turnMeter('openai-codex', { maxTokens: 1, meter: 'bytes' })).rejects.toMatchObject({
      code: 'INVALID_ARGUMENT',
      details: { field: 'meter' },
    });
    const bare = () => assembleTurn('unknown', { contextMessages: [], currentMessage: 'x', maxTokens: 9 });
    expect(codeOf(bare)).toBe('INVALID_ARGUMENT');
  });
});
