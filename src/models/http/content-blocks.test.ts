import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { nastyText } from '../../testing/nasty-text.js';
import type { ModelRequest } from '../contract/model.js';
import { type ContentBlock, contentBlocks } from './content-blocks.js';

const timeouts = { firstByteMs: 1, totalMs: 1 };
const joined = (blocks: readonly ContentBlock[]) => blocks.map(({ text }) => text).join('');
const blocksOf = (request: Omit<ModelRequest, 'timeouts'>, minimumBytes = 0, most = 4) =>
  contentBlocks(
    { ...request, timeouts },
    { most, everyPoint: true, isEnough: (_, bytes) => bytes >= minimumBytes },
  );
const points = fc
  .array(fc.integer({ min: -5, max: 90 }), { maxLength: 12 })
  .map((list) => list.sort((a, b) => a - b));

describe('content blocks', () => {
  it('joined again are the text, at most four are marked, none is blank [prefix.used] [wire.same]', async () => {
    let marked = 0;
    await fc.assert(
      fc.asyncProperty(
        // Texts without words are refused before they get here.
        nastyText(40).filter((text) => text === '' || text.trim() !== ''),
        nastyText(40).filter((text) => text.trim() !== ''),
        points,
        points,
        async (system, prompt, inSystem, inPrompt) => {
          const blocks = await blocksOf({
            system,
            prompt,
            cachePoints: { system: inSystem, prompt: inPrompt },
          });
          expect(joined(blocks.system)).toBe(system);
          expect(joined(blocks.prompt)).toBe(prompt);
          const all = [...blocks.system, ...blocks.prompt];
          expect(all.every(({ text }) => text.trim() !== '')).toBe(true);
          expect(all.filter((block) => block.marked).length).toBeLessThanOrEqual(4);
          marked += all.filter((block) => block.marked).length;
        },
      ),
      { numRuns: 1000 },
    );
    expect(marked).toBeGreaterThan(1000);
  });

  it('of a conversation change their speaker where the prompt does, and are never blank [wire.same]', async () => {
    const message = nastyText(20).filter((text) => text.isWellFormed() && text.trim() !== '');
    await fc.assert(
      fc.asyncProperty(
        fc.array(message, { minLength: 3, maxLength: 5 }).filter(({ length }) => length % 2 === 1),
        points,
        async (messages, inPrompt) => {
          const ends = messages.map((_, at) => Buffer.byteLength(messages.slice(0, at + 1).join('')));
          const blocks = await blocksOf({
            prompt: messages.join(''),
            turns: ends.slice(0, -1),
            cachePoints: { prompt: inPrompt },
          });
          const heard: string[] = [];
          blocks.prompt.forEach(({ text, isAnswer }, at) => {
            if (at > 0 && blocks.prompt[at - 1]?.isAnswer === isAnswer)
              heard.push((heard.pop() ?? '') + text);
            else heard.push(text);
          });
          expect(heard).toEqual(messages);
          expect(blocks.prompt.every(({ text }) => text.trim() !== '')).toBe(true);
        },
      ),
      { numRuns: 500 },
    );
  });

  it('stand between the given bytes, on borders of characters', async () => {
    const prompt = '你好，world\nmore';
    const blocks = await blocksOf({ prompt, cachePoints: { prompt: [6, 15] } });
    expect(blocks.prompt).toEqual([
      { text: '你好', marked: true },
      { text: '，world\n', marked: true },
      { text: 'more', marked: false },
    ]);
    const inside = await blocksOf({ prompt, cachePoints: { prompt: [7] } });
    expect(inside.prompt[0]).toEqual({ text: '你好', marked: true });
  });

  it('are marked at the end of the text, and not beyond it', async () => {
    const prompt = 'one two';
    expect((await blocksOf({ prompt, cachePoints: { prompt: [7] } })).prompt).toEqual([
      { text: prompt, marked: true },
    ]);
    expect((await blocksOf({ prompt, cachePoints: { prompt: [8, 2 ** 52] } })).prompt).toEqual([
      { text: prompt, marked: false },
    ]);
  });

  it('carry no marker below what a provider keeps, system and prompt counted together [prefix.used]', async () => {
    const request = { system: 'ssss', prompt: 'aaaabbbbcccc', cachePoints: { system: [4], prompt: [4, 8] } };
    const blocks = await blocksOf(request, 10);
    expect(blocks.system).toEqual([{ text: 'ssss', marked: false }]);
    expect(blocks.prompt.map(({ marked }) => marked)).toEqual([false, true, false]);
  });

  it('of many keep the last marker and those that leave the least to be read anew', async () => {
    const prompt = 'x'.repeat(1000);
    const cachePoints = { prompt: [10, 20, 250, 260, 500, 510, 750, 760, 1000] };
    const blocks = await blocksOf({ prompt, cachePoints });
    let end = 0;
    const ends = blocks.prompt.flatMap(({ text, marked }) => {
      end += text.length;
      return marked ? [end] : [];
    });
    expect(ends.length).toBe(4);
    expect(ends.at(-1)).toBe(1000);
    const best = bestOf(cachePoints.prompt);
    expect(loss(ends)).toBe(best);
    // All of them stay borders, so that a marker set by an earlier request is found again.
    expect(blocks.prompt.length).toBe(9);
  });
});

const loss = (ends: readonly number[]) =>
  ends.reduce((sum, end, index) => sum + (end - (ends[index - 1] ?? 0)) ** 2, 0);

function bestOf(all: readonly number[]): number {
  const last = all.at(-1) ?? 0;
  let best = Number.POSITIVE_INFINITY;
  for (const a of all)
    for (const b of all)
      for (const c of all) if (a < b && b < c && c < last) best = Math.min(best, loss([a, b, c, last]));
  return best;
}
