import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { GalleyError } from '../../core/model/error.js';
import { type Line, scriptedModel } from '../../testing/scripted-model.js';
import type { Model } from '../contract/model.js';
import { withCeiling } from './with-ceiling.js';

const catalog = { version: 'test', rows: [{ model: 'paid/*', input: 1_000_000, output: 1_000_000 }] };
/** A dollar a token. */
const count = (text: string) => text.length;
const timeouts = { firstByteMs: 1000, totalMs: 1000 };
const paid = (lines: readonly Line[]): Model => ({ ...scriptedModel(lines, 'paid/model'), family: 'http' });
const options = () => ({ signal: new AbortController().signal });
const ask = (prompt: string, maxOutputTokens = 1) => ({ prompt, maxOutputTokens, timeouts });
const used = (inputTokens: number, outputTokens: number) => ({
  text: 'x',
  usage: { inputTokens, outputTokens },
});

describe('a ceiling', () => {
  it('refuses the call that may pass it, before it is made', async () => {
    const inner = scriptedModel([used(4, 1)], 'paid/model');
    const model = withCeiling({ ...inner, family: 'http' }, { dollars: 12, count, catalog });
    await model.run(ask('four'), options());
    await model.run(ask('four'), options());
    expect(model.spent()).toBe(10);
    await expect(model.run(ask('four'), options())).rejects.toMatchObject({
      code: 'COST_CEILING_REACHED',
      details: { ceiling: 12, spent: 10, estimate: 5 },
    });
    await model.run(ask('1'), options());
    expect(inner.requests.length).toBe(3);
  });

  it('holds however many calls run at once and whatever they turn out to cost', async () => {
    let refusals = 0;
    await fc.assert(
      fc.asyncProperty(
        fc.array(
          fc.record({
            input: fc.integer({ min: 1, max: 9 }),
            share: fc.double({ min: 0, max: 1, noNaN: true }),
          }),
          { minLength: 1, maxLength: 12 },
        ),
        fc.integer({ min: 1, max: 40 }),
        async (calls, dollars) => {
          let underWay = 0;
          let most = 0;
          const inner: Model = {
            id: 'paid/model',
            family: 'http',
            run: async ({ prompt }) => {
              const cost = prompt.length + 1;
              underWay += cost;
              most = Math.max(most, underWay + model.spent());
              await new Promise((resolve) => setImmediate(resolve));
              underWay -= cost;
              const share = calls[Number(prompt[0]) % calls.length]?.share ?? 1;
              return {
                text: 'x',
                finish: 'stop',
                usage: { inputTokens: Math.floor(prompt.length * share), outputTokens: 1 },
              };
            },
          };
          const model = withCeiling(inner, { dollars, count, catalog });
          const results = await Promise.allSettled(
            calls.map(({ input }) => model.run(ask('1'.repeat(input)), options())),
          );
          for (const result of results) {
            if (result.status === 'fulfilled') continue;
            refusals += 1;
            expect((result.reason as GalleyError).code).toBe('COST_CEILING_REACHED');
          }
          expect(model.spent()).toBeLessThanOrEqual(dollars);
          expect(most).toBeLessThanOrEqual(dollars);
        },
      ),
      { numRuns: 100 },
    );
    expect(refusals).toBeGreaterThan(50);
  });

  it('waits for calls under way that may turn out cheaper, and can be cancelled while it waits', async () => {
    let finish = () => {};
    const first = new Promise<void>((resolve) => {
      finish = resolve;
    });
    const model = withCeiling(
      paid([
        async () => {
          await first;
          return used(1, 0);
        },
        used(4, 1),
      ]),
      { dollars: 8, count, catalog },
    );
    const slow = model.run(ask('four'), options());
    const waiting = model.run(ask('four'), options());
    const controller = new AbortController();
    const cancelled = model.run(ask('four'), { signal: controller.signal });
    controller.abort();
    await expect(cancelled).rejects.toMatchObject({ code: 'CANCELLED' });
    finish();
    await expect(slow).resolves.toMatchObject({ text: 'x' });
    await expect(waiting).resolves.toMatchObject({ text: 'x' });
    expect(model.spent()).toBe(6);
  });

  it('counts a call that broke off after its first words, and not one that never began', async () => {
    const broken: Line = async () => {
      throw new GalleyError('MODEL_UNAVAILABLE', 'gone');
    };
    const spoken: Line = async (_, { onText }) => {
      onText?.('half');
      throw new GalleyError('MODEL_UNAVAILABLE', 'gone');
    };
    const again: Line = async (_, { onText, onRetry }) => {
      onText?.('half');
      onRetry?.({ attempt: 1, afterMs: 1, code: 'MODEL_UNAVAILABLE' });
      return used(4, 1);
    };
    const model = withCeiling(paid([broken, spoken, again]), { dollars: 100, count, catalog });
    await expect(model.run(ask('four'), options())).rejects.toMatchObject({ message: 'gone' });
    expect(model.spent()).toBe(0);
    await expect(model.run(ask('four'), options())).rejects.toMatchObject({ message: 'gone' });
    expect(model.spent()).toBe(5);
    await model.run(ask('four'), options());
    expect(model.spent()).toBe(15);
  });

  it('leaves a caller who hears words but not of retries with a model that does not retry', async () => {
    const seen: boolean[] = [];
    const look: Line = async (_, { onRetry }) => {
      seen.push(onRetry !== undefined);
      return used(1, 1);
    };
    const model = withCeiling(paid([look]), { dollars: 100, count, catalog });
    await model.run(ask('a'), { ...options(), onText() {} });
    await model.run(ask('a'), { ...options(), onText() {}, onRetry() {} });
    await model.run(ask('a'), options());
    expect(seen).toEqual([false, true, true]);
  });

  it('cannot be kept without a price, except for recorded answers, which are free', async () => {
    const unknown: Model = { ...paid(['x']), id: 'custom/unknown' };
    expect(() => withCeiling(unknown, { dollars: 1, count })).toThrowError(/GALLEY_PRICES/);
    expect(() => withCeiling(paid(['x']), { dollars: 0, count, catalog })).toThrowError(/more than 0/);
    const free = withCeiling(scriptedModel(['x']), { dollars: 0.01, count });
    await free.run(ask('a'.repeat(10_000)), options());
    expect(free.spent()).toBe(0);
  });
});
