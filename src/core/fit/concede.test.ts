import { describe, expect, it } from 'vitest';
import { bytesMeter } from '../../meters/plain-meters.js';
import type { Fragment } from '../model/fragment.js';
import type { Layer, Recipe } from '../model/recipe.js';
import { phrase } from '../phrase/phrase.js';
import { fit } from './fit.js';

const dialect = {
  id: 'test',
  version: 1,
  apart: '\n\n',
  section: () => ({ heading: '', between: '\n' }),
  word: (body: unknown) => String(body),
};
const recipeOf = (...layers: Layer[]): Recipe => ({
  id: 'test',
  version: 1,
  overflow: 'concede',
  layers,
  sections: layers.map(({ id }) => ({ id, channel: 'prompt' })),
});
const fragment = (id: string, layer: string, change: Partial<Fragment> = {}): Fragment => ({
  id,
  source: 'test',
  scope: { project: 'p' },
  layer,
  section: layer,
  rank: 0,
  position: Number(id.replace(/\D/g, '')) || 0,
  levels: [{ name: 'whole', body: 'x'.repeat(9) }],
  ...change,
});
const verdicts = (recipe: Recipe, fragments: Fragment[], limit: number) => {
  const priced = phrase(fragments, { recipe, dialect, meter: bytesMeter });
  const { choices } = fit(priced, { recipe, meter: bytesMeter, limit });
  return Object.fromEntries(choices.map(({ wording, verdict }) => [wording.fragment.id, verdict]));
};

describe('the order of giving way', () => {
  it('lets layers give way in their turns and stop at their floors', () => {
    const recipe = recipeOf(
      { id: 'a', keep: 'highest-rank', yieldOrder: 1 },
      { id: 'b', keep: 'newest', yieldOrder: 2, floor: 15 },
    );
    const fragments = [
      ...[1, 2, 3].map((n) => fragment(`a${n}`, 'a', { rank: n })),
      ...[1, 2, 3].map((n) => fragment(`b${n}`, 'b')),
    ];
    expect(verdicts(recipe, fragments, 50)).toEqual({
      a1: 'conceded',
      a2: 'kept',
      a3: 'kept',
      b1: 'kept',
      b2: 'kept',
      b3: 'kept',
    });
    expect(verdicts(recipe, fragments, 20)).toMatchObject({
      a3: 'conceded',
      b1: 'conceded',
      b2: 'kept',
      b3: 'kept',
    });
    const refuse = () => verdicts(recipe, fragments, 18);
    expect(refuse).toThrowError(
      expect.objectContaining({
        code: 'CONTEXT_BUDGET_INFEASIBLE',
        details: { needed: 19, limit: 18, missing: 1, unit: 'bytes', parts: ['b 20'] },
      }),
    );
  });

  it('keeps a layer to its own line even when everything would fit, pins excepted', () => {
    const recipe = recipeOf(
      { id: 'rules', keep: 'highest-rank', share: 0.2, selfCapped: true },
      { id: 'rest', keep: 'nearest', yieldOrder: 1 },
    );
    const fragments = [
      fragment('r1', 'rules', { rank: 1, pinned: true }),
      fragment('r2', 'rules', { rank: 2 }),
      fragment('r3', 'rules', { rank: 3 }),
      fragment('n1', 'rest'),
    ];
    expect(verdicts(recipe, fragments, 100)).toEqual({
      r1: 'kept',
      r2: 'over-own-line',
      r3: 'kept',
      n1: 'kept',
    });
    expect(verdicts(recipe, fragments, 40)).toEqual({
      r1: 'kept',
      r2: 'over-own-line',
      r3: 'over-own-line',
      n1: 'kept',
    });
  });

  it('steps the tallest down first, lowest rank first, and never below the last level', () => {
    const recipe = recipeOf({ id: 'a', keep: 'level', yieldOrder: 1 });
    const levels = (...sizes: number[]) =>
      sizes.map((size) => ({ name: `${size}`, body: 'x'.repeat(size - 1) }));
    const fragments = [
      fragment('a1', 'a', { rank: 2, levels: levels(30, 20, 10) }),
      fragment('a2', 'a', { rank: 1, levels: levels(30, 20, 10) }),
      fragment('a3', 'a', { rank: 0, levels: levels(20, 10) }),
    ];
    const levelAt = (limit: number) => {
      const priced = phrase(fragments, { recipe, dialect, meter: bytesMeter });
      return fit(priced, { recipe, meter: bytesMeter, limit }).choices.map(({ level }) => level);
    };
    expect(levelAt(79)).toEqual([0, 0, 0]);
    expect(levelAt(78)).toEqual([0, 1, 0]);
    expect(levelAt(68)).toEqual([1, 1, 0]);
    expect(levelAt(58)).toEqual([1, 1, 1]);
    expect(levelAt(48)).toEqual([1, 2, 1]);
    expect(levelAt(29)).toEqual([2, 2, 1]);
    expect(() => levelAt(28)).toThrowError(expect.objectContaining({ code: 'CONTEXT_BUDGET_INFEASIBLE' }));
  });

  it('steps the lowest rank down and lets it go before the next one is touched', () => {
    const recipe = recipeOf({ id: 'a', keep: 'rank-then-level', yieldOrder: 1, floor: 5 });
    const levels = (...sizes: number[]) =>
      sizes.map((size) => ({ name: `${size}`, body: 'x'.repeat(size - 1) }));
    const fragments = [
      fragment('a1', 'a', { rank: 3, levels: levels(30) }),
      fragment('a2', 'a', { rank: 2, levels: levels(30, 20, 10) }),
      fragment('a3', 'a', { rank: 1, levels: levels(30, 20, 10) }),
    ];
    const levelAt = (limit: number) => {
      const priced = phrase(fragments, { recipe, dialect, meter: bytesMeter });
      return fit(priced, { recipe, meter: bytesMeter, limit }).choices.map(({ level }) => level);
    };
    expect(levelAt(89)).toEqual([0, 0, 0]);
    expect(levelAt(88)).toEqual([0, 0, 1]);
    expect(levelAt(70)).toEqual([0, 0, 2]);
    expect(levelAt(60)).toEqual([0, 0, undefined]);
    expect(levelAt(50)).toEqual([0, 1, undefined]);
    expect(levelAt(40)).toEqual([0, 2, undefined]);
    expect(levelAt(30)).toEqual([0, undefined, undefined]);
    expect(() => levelAt(28)).toThrowError(expect.objectContaining({ code: 'CONTEXT_BUDGET_INFEASIBLE' }));
  });

  it('refills leftover room with smaller pieces only where the layer allows it', () => {
    const big = { levels: [{ name: 'whole', body: 'x'.repeat(39) }] };
    const fragments = [
      fragment('a1', 'a', { rank: 3 }),
      fragment('a2', 'a', { rank: 2, ...big }),
      fragment('a3', 'a', { rank: 1 }),
    ];
    const layer = { id: 'a', keep: 'highest-rank', yieldOrder: 1 } as const;
    expect(verdicts(recipeOf({ ...layer, refill: true }), fragments, 20)).toEqual({
      a1: 'kept',
      a2: 'conceded',
      a3: 'refilled',
    });
    expect(verdicts(recipeOf(layer), fragments, 20)).toMatchObject({ a3: 'conceded' });
  });

  it('refills nothing whose words lean on a piece that had to go', () => {
    const recipe = recipeOf({ id: 'a', keep: 'highest-rank', yieldOrder: 1, refill: true });
    const big = { levels: [{ name: 'whole', body: 'x'.repeat(39) }] };
    const fragments = [
      fragment('a1', 'a', { rank: 4 }),
      fragment('a2', 'a', { rank: 3, ...big }),
      fragment('a3', 'a', { rank: 2, continues: 'a2' }),
      fragment('a4', 'a', { rank: 1, continues: 'a1' }),
    ];
    expect(verdicts(recipe, fragments, 30)).toEqual({
      a1: 'kept',
      a2: 'conceded',
      a3: 'conceded',
      a4: 'refilled',
    });
    expect(verdicts(recipe, fragments, 60)).toMatchObject({ a2: 'kept', a3: 'kept', a4: 'conceded' });
  });

  it('shows the first that does not fit in part, and refills a twentieth at most [R23]', () => {
    const recipe = recipeOf({ id: 'a', keep: 'rank-then-level', yieldOrder: 1, refill: true });
    const levels = (...sizes: number[]) =>
      sizes.map((size) => ({ name: `${size}`, body: 'x'.repeat(size - 1) }));
    const fragments = [
      fragment('a1', 'a', { rank: 9, levels: levels(100) }),
      fragment('a2', 'a', { rank: 8, levels: levels(100, 60) }),
      ...[3, 4, 5].map((n) => fragment(`a${n}`, 'a', { rank: 9 - n, levels: levels(6) })),
    ];
    // 199 is what the first two weigh together: the last one of a section ends without a separator.
    expect(verdicts(recipe, fragments, 199)).toMatchObject({ a2: 'kept', a3: 'conceded' });
    expect(verdicts(recipe, fragments, 198)).toMatchObject({
      a2: 'stepped-down',
      a3: 'refilled',
      a4: 'conceded',
    });
    expect(verdicts(recipe, fragments, 158)).toMatchObject({
      a2: 'conceded',
      a3: 'refilled',
      a4: 'conceded',
    });
  });

  it('lets a layer step down to its own line instead of leaving', () => {
    const recipe = recipeOf({ id: 'a', keep: 'rank-then-level', yieldOrder: 1 }, { id: 'b', keep: 'all' });
    const levels = [30, 20].map((size) => ({ name: `${size}`, body: 'x'.repeat(size - 1) }));
    const fragments = [fragment('a1', 'a', { rank: 1, levels }), fragment('b1', 'b')];
    const priced = phrase(fragments, { recipe, dialect, meter: bytesMeter });
    const line = (n: number) => ({ recipe, meter: bytesMeter, limit: 100, lines: [{ layers: ['a'], n }] });
    const levelAt = (n: number) => fit(priced, line(n)).choices[0]?.level;
    expect([40, 25, 10].map(levelAt)).toEqual([0, 1, undefined]);
  });

  it('prices only what stays when the ledger does not ask for more', () => {
    let weighed = 0;
    const meter = {
      ...bytesMeter,
      weigh: (text: string) => {
        weighed += text.length;
        return bytesMeter.weigh(text);
      },
    };
    const recipe = recipeOf({ id: 'a', keep: 'highest-rank', yieldOrder: 1 });
    const fragments = Array.from({ length: 100 }, (_, n) => fragment(`a${n}`, 'a', { rank: n }));
    fit(phrase(fragments, { recipe, dialect, meter }), { recipe, meter, limit: 100 });
    expect(weighed).toBeLessThan(150);
  });
});
