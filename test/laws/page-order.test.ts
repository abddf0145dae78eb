// The laws of pages laid out from weights: the same bytes as set at once, spread room kept, order kept, company never costs.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { typeset } from '../../src/core/assemble.js';
import { packPages } from '../../src/core/fit/pack-pages.js';
import { layOut } from '../../src/core/lay-out.js';
import type { Fragment } from '../../src/core/model/fragment.js';
import type { Recipe } from '../../src/core/model/recipe.js';
import { hashText } from '../../src/meters/content-hash.js';
import { charsPerFourMeter } from '../../src/meters/plain-meters.js';
import { sweepSize } from '../sweep-size.js';

const recipe: Recipe = {
  id: 'pages',
  version: 1,
  overflow: 'paginate',
  layers: [
    { id: 'rules', keep: 'all', everyPage: true },
    { id: 'note', keep: 'highest-rank' },
    { id: 'diff', keep: 'all' },
  ],
  sections: [
    { id: 'rules', channel: 'prompt' },
    { id: 'note', channel: 'prompt' },
    { id: 'diff', channel: 'prompt' },
  ],
};
const dialect = {
  id: 'pages',
  version: 1,
  apart: '\n\n',
  section: (id: string, { index, total }: { index: number; total: number }) => ({
    heading: id === 'rules' ? `# ${index}/${total}\n` : `## ${id}\n`,
    between: id === 'note' ? '\n' : '',
  }),
  word: (body: string) => body,
};
const press = { recipe, dialect, meter: charsPerFourMeter, hash: hashText };
const scope = { project: 'p' };

const caseArbitrary = fc.record({
  sizes: fc.array(fc.integer({ min: 4, max: 380 }), { minLength: 1, maxLength: 25 }),
  chain: fc.integer({ min: 0, max: 6 }),
  notes: fc.array(fc.tuple(fc.nat(24), fc.integer({ min: 1, max: 200 })), { maxLength: 12 }),
  spread: fc.integer({ min: 100, max: 200 }),
  spare: fc.integer({ min: 0, max: 60 }),
});

function fragmentsOf(
  { sizes, chain, notes }: { sizes: number[]; chain: number; notes: [number, number][] },
  known: boolean,
): Fragment<string>[] {
  const base = (id: string, layer: string, body: string, position: number) => ({
    id,
    source: layer,
    scope,
    layer,
    section: layer,
    rank: position % 3,
    position,
    levels: [{ name: 'whole', body, ...(known && layer === 'diff' ? { weight: body.length } : {}) }],
  });
  return [
    base('rules', 'rules', 'be kind', 0),
    ...sizes.map((size, at) => ({
      ...base(`d${String(at).padStart(2, '0')}`, 'diff', `${'x'.repeat(size - 1)}\n`, at),
      ...(at > 0 && at <= chain ? { after: `d${String(at - 1).padStart(2, '0')}` } : {}),
    })),
    ...notes.map(([beside, size], at) => ({
      ...base(`n${String(at).padStart(2, '0')}`, 'note', 'n'.repeat(size), at),
      beside: `d${String(beside % sizes.length).padStart(2, '0')}`,
    })),
  ];
}

describe('pages laid out from weights', () => {
  it('are the pages that typesetting gives, and keep every bound', () => {
    const numRuns = sweepSize('laws of pages', { everyRun: 100, nightly: 3000 });
    let [left, placed, several] = [0, 0, 0];
    fc.assert(
      fc.property(caseArbitrary, (given) => {
        const limit = given.spread + 12 + given.spare;
        const order = {
          scope,
          budget: { limit: { unit: 'tokens' as const, n: limit }, spread: given.spread },
        };
        const atOnce = typeset(press, order, fragmentsOf(given, false));
        const layout = layOut(press, order, fragmentsOf(given, true));
        const pages = Array.from({ length: layout.pages }, (_, page) => layout.set(page));
        expect(pages.map(({ parts }) => parts[0]?.text)).toEqual(
          atOnce.prompt.pages.map(({ parts }) => parts[0]?.text),
        );
        expect(layout.seal()).toEqual(atOnce.receipt);
        if (layout.pages > 1) several += 1;

        const pageOf = new Map(layout.choices.map(({ wording, page }) => [wording.fragment.id, page]));
        for (const { text } of pages.flatMap(({ parts }) => parts)) {
          expect(Math.ceil(text.length / 4)).toBeLessThanOrEqual(limit);
          const diff = text.slice(text.indexOf('## diff\n') + 8);
          expect(Math.ceil(diff.length / 4)).toBeLessThanOrEqual(given.spread);
        }
        for (const { wording, page } of layout.choices) {
          const { after, beside, layer } = wording.fragment;
          if (layer === 'diff') expect(page).toBeDefined();
          if (after !== undefined) expect(pageOf.get(after)).toBeLessThanOrEqual(page ?? -1);
          if (beside === undefined) continue;
          if (page === undefined) left += 1;
          else {
            placed += 1;
            expect(page).toBe(pageOf.get(beside));
          }
        }
      }),
      { numRuns, seed: 5 },
    );
    expect(Math.min(left, placed, several)).toBeGreaterThan(numRuns / 6);
  });

  it('need no more pages because of company', () => {
    fc.assert(
      fc.property(caseArbitrary, (given) => {
        const order = {
          scope,
          budget: { limit: { unit: 'tokens' as const, n: given.spread + 40 }, spread: given.spread },
        };
        const alone = layOut(press, order, fragmentsOf({ ...given, notes: [] }, true));
        expect(layOut(press, order, fragmentsOf(given, true)).pages).toBe(alone.pages);
      }),
      { numRuns: sweepSize('laws of pages', { everyRun: 80, nightly: 3000 }), seed: 6 },
    );
  });
});

describe('packing with an order', () => {
  it('places followers on the same page or a later one, and every item within its page', () => {
    fc.assert(
      fc.property(
        fc.array(
          fc.record({
            weight: fc.integer({ min: 0, max: 100 }),
            after: fc.option(fc.nat(30), { nil: undefined }),
          }),
          {
            maxLength: 30,
          },
        ),
        (given) => {
          // Followers come later in the list, so that no circle can arise.
          const items = given.map(({ weight, after }, index) => ({
            key: `k${index}`,
            weight,
            ...(after !== undefined && after < index ? { after } : {}),
          }));
          const { pages, count } = packPages(items, 100);
          const load = new Map<number, number>();
          items.forEach(({ weight, after }, index) => {
            load.set(pages[index]!, (load.get(pages[index]!) ?? 0) + weight);
            if (after !== undefined) expect(pages[after]).toBeLessThanOrEqual(pages[index]!);
          });
          for (const sum of load.values()) expect(sum).toBeLessThanOrEqual(100);
          expect(Math.max(-1, ...pages) + 1).toBe(items.length === 0 ? 0 : count);
        },
      ),
      { numRuns: sweepSize('laws of pages', { everyRun: 200, nightly: 20_000 }), seed: 7 },
    );
  });
});
