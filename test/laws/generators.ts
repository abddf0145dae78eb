// Arbitrary recipes, dialects and fragments: every rule of keeping, floor, pin, bond and separator the press knows.
import fc from 'fast-check';
import type { Fragment } from '../../src/core/model/fragment.js';
import type { Dialect, KeepRule, Layer, Recipe } from '../../src/core/model/recipe.js';

const keepRules: readonly KeepRule[] = [
  'highest-rank',
  'highest-rank',
  'nearest',
  'newest',
  'level',
  'level-then-rank',
  'rank-then-level',
  'head',
];
const words = [
  '林远',
  '走进',
  '。',
  'the',
  'cat',
  '// x',
  '  ',
  '\n',
  '😀',
  'é',
  '123',
  '/',
  '}',
  ', ',
  '第一章',
  '\t',
  '…',
];

export const textArbitrary = fc
  .array(fc.constantFrom(...words), { maxLength: 30 })
  .map((parts) => parts.join(''));

const layerArbitrary = (id: string): fc.Arbitrary<Layer> =>
  fc
    .record({
      keep: fc.constantFrom(...keepRules),
      yieldOrder: fc.option(fc.integer({ min: 0, max: 3 }), { nil: undefined, freq: 12 }),
      floor: fc.option(fc.integer({ min: 0, max: 20 }), { nil: undefined, freq: 1 }),
      refill: fc.boolean(),
    })
    .map(({ keep, yieldOrder, floor, refill }) => ({
      id,
      keep: yieldOrder === undefined ? 'all' : keep,
      ...(yieldOrder === undefined ? {} : { yieldOrder }),
      ...(floor === undefined ? {} : { floor }),
      refill,
    }));

export const sections = ['s1', 's2', 's3', 's4'];

export const recipeArbitrary: fc.Arbitrary<Recipe> = fc
  .tuple(layerArbitrary('a'), layerArbitrary('b'), layerArbitrary('c'), layerArbitrary('d'))
  .map((layers) => ({
    id: 'law',
    version: 1,
    overflow: 'concede',
    layers,
    sections: sections.map((id, index) => ({
      id,
      channel: index === 0 ? 'system' : 'prompt',
      stable: index < 2,
      breakpoint: true,
    })),
  }));

export const dialectArbitrary: fc.Arbitrary<Dialect<string>> = fc
  .record({ between: fc.constantFrom('\n', '\n\n'), headings: fc.boolean(), numbered: fc.boolean() })
  .map(({ between, headings, numbered }) => ({
    id: 'law',
    version: 1,
    apart: '\n\n',
    section: (id) => ({ heading: headings ? `[${id}]\n` : '', between }),
    word: (body, _fragment, place) => (numbered ? `${place}. ${body}` : body),
  }));

export const fragmentsArbitrary: fc.Arbitrary<Fragment<string>[]> = fc
  .array(
    fc.record({
      layer: fc.constantFrom('a', 'b', 'c', 'd'),
      section: fc.constantFrom(...sections),
      rank: fc.integer({ min: 0, max: 5 }),
      position: fc.integer({ min: 0, max: 8 }),
      texts: fc.array(textArbitrary, { minLength: 1, maxLength: 3 }),
      pinned: fc.integer({ min: 0, max: 19 }).map((n) => n === 0),
      bond: fc.option(fc.constantFrom('x', 'y'), { nil: undefined, freq: 4 }),
    }),
    { minLength: 3, maxLength: 30 },
  )
  .map((drafts) =>
    drafts.map(({ texts, bond, ...draft }, index) => ({
      id: `f${String(index).padStart(2, '0')}`,
      source: 'law',
      scope: { project: 'p' },
      ...draft,
      ...(bond === undefined ? {} : { bond }),
      // Detail shrinks from level to level, as it does for real fragments.
      levels: texts.map((_, level) => ({ name: `level-${level}`, body: texts.slice(level).join(' ') })),
    })),
  );
