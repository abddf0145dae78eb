// The laws of pagination: nothing lost, nothing twice, every page within its limit, company kept where it is free.
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { typeset } from '../../src/core/assemble.js';
import { packPages } from '../../src/core/fit/pack-pages.js';
import { isGalleyError } from '../../src/core/model/error.js';
import { amountOf, type Meter } from '../../src/core/model/meter.js';
import type { Recipe } from '../../src/core/model/recipe.js';
import { hashText } from '../../src/meters/content-hash.js';
import { loadMeter } from '../../src/meters/load-meter.js';
import { sweepSize } from '../sweep-size.js';
import { textArbitrary } from './generators.js';

const recipe: Recipe = {
  id: 'pages',
  version: 1,
  overflow: 'paginate',
  layers: [
    { id: 'rules', keep: 'all', everyPage: true },
    { id: 'lint', keep: 'highest-rank', yieldOrder: 1, everyPage: true },
    { id: 'diff', keep: 'all' },
  ],
  sections: [
    { id: 'title', channel: 'prompt' },
    { id: 'rules', channel: 'prompt' },
    { id: 'lint', channel: 'prompt' },
    { id: 'diff', channel: 'prompt' },
  ],
};

const dialect = {
  id: 'pages',
  version: 1,
  apart: '\n\n',
  section: (id: string, page: { index: number; total: number }) => ({
    heading: id === 'rules' ? `# ${page.index}/${page.total}\n` : `## ${id}\n`,
    between: '\n',
  }),
  word: (body: string) => body,
};

const fragment = (id: string, layer: string, body: string, extra: object = {}) => ({
  id,
  source: layer,
  scope: { project: 'p' },
  layer,
  section: layer,
  rank: id.length,
  position: Number(id.slice(1)) || 0,
  levels: [{ name: 'whole', body }],
  ...extra,
});

const caseArbitrary = fc.record({
  rules: textArbitrary,
  lint: textArbitrary,
  files: fc.array(
    fc.record({
      text: textArbitrary,
      affinity: fc.option(fc.constantFrom('x', 'y', 'z'), { nil: undefined }),
    }),
    { minLength: 1, maxLength: 25 },
  ),
  n: fc.integer({ min: 20, max: 300 }),
  maxPages: fc.option(fc.integer({ min: 1, max: 3 }), { nil: undefined }),
});

for (const id of ['bytes', 'o200k_base']) {
  describe(`laws of pages in ${id}`, () => {
    let meter: Meter;
    const reach = { cases: 0, paginated: 0, refused: 0, capped: 0, tooLarge: 0 };
    beforeAll(async () => {
      meter = await loadMeter(id);
    });
    afterAll(() => {
      const share = (n: number) => `${Math.round((100 * n) / Math.max(1, reach.cases))} %`;
      console.log(
        `reach of pages in ${id}: ${reach.cases} cases, paginated ${share(reach.paginated)}, refused ${share(reach.refused)}, ` +
          `capped ${share(reach.capped)}, too large ${share(reach.tooLarge)}`,
      );
      expect(reach.paginated).toBeGreaterThan(reach.cases / 15);
    });

    it('accounts for every fragment, keeps pages within the limit, and ignores arrival order', () => {
      fc.assert(
        fc.property(caseArbitrary, ({ rules, lint, files, n, maxPages }) => {
          const fragments = [
            fragment('r1', 'rules', rules),
            fragment('l1', 'lint', lint),
            ...files.map(({ text, affinity }, index) =>
              fragment(`f${index}`, 'diff', text, affinity === undefined ? {} : { affinity }),
            ),
          ];
          const budget = { limit: { unit: meter.unit, n }, ...(maxPages === undefined ? {} : { maxPages }) };
          const press = { recipe, dialect, meter, hash: hashText };
          const run = (input: typeof fragments) => {
            try {
              return typeset(press, { scope: { project: 'p' }, budget }, input);
            } catch (error) {
              if (isGalleyError(error) && error.code === 'CONTEXT_BUDGET_INFEASIBLE') return undefined;
              throw error;
            }
          };
          const assembly = run(fragments);
          reach.cases += 1;
          if (assembly === undefined) {
            reach.refused += 1;
            return;
          }
          expect(run([...fragments].reverse())).toEqual(assembly);
          const { ledger } = assembly.receipt;
          expect(ledger.map((line) => line.fragment).sort()).toEqual(fragments.map((one) => one.id).sort());
          const verdicts = new Set(ledger.map(({ verdict }) => verdict));
          if (assembly.prompt.pages.length > 1) reach.paginated += 1;
          if (verdicts.has('beyond-pages')) reach.capped += 1;
          if (verdicts.has('too-large')) reach.tooLarge += 1;
          if (maxPages !== undefined) expect(assembly.prompt.pages.length).toBeLessThanOrEqual(maxPages);
          assembly.prompt.pages.forEach(({ parts }, index) => {
            const whole = parts.reduce((sum, { text }) => sum + meter.weigh(text), 0);
            expect(amountOf(meter, whole).n).toBeLessThanOrEqual(n);
            const here = parts.flatMap(({ spans }) => spans.map((span) => span.fragment));
            const planned = ledger.filter(({ verdict, page, layer }) =>
              layer === 'diff' ? page === index + 1 : verdict === 'kept',
            );
            expect(here.sort()).toEqual(planned.map((line) => line.fragment).sort());
          });
        }),
        { numRuns: sweepSize('laws of pages', { everyRun: 100, nightly: 3000 }), seed: 7 },
      );
    });
  });
}

describe('packing', () => {
  it('never needs more pages for company, and keeps company that fits a page by itself', () => {
    const items = fc.array(
      fc.record({
        weight: fc.integer({ min: 1, max: 60 }),
        affinity: fc.constantFrom('a', 'b', 'c', undefined),
      }),
      { maxLength: 40 },
    );
    fc.assert(
      fc.property(items, (drafts) => {
        const list = drafts.map(({ weight, affinity }, index) => ({
          key: `k${index}`,
          weight,
          ...(affinity === undefined ? {} : { affinity }),
        }));
        const together = packPages(list, 100);
        const apart = packPages(
          list.map(({ key, weight }) => ({ key, weight })),
          100,
        );
        expect(together.count).toBeLessThanOrEqual(apart.count);
        const loads = new Map<number, number>();
        together.pages.forEach((page, index) => {
          loads.set(page, (loads.get(page) ?? 0) + (list[index]?.weight ?? 0));
        });
        for (const load of loads.values()) expect(load).toBeLessThanOrEqual(100);
      }),
      { numRuns: sweepSize('laws of pages', { everyRun: 200, nightly: 20_000 }), seed: 3 },
    );
    const pair = [
      { key: 'big', weight: 90 },
      { key: 'impl', weight: 40, affinity: 'm' },
      { key: 'other', weight: 45 },
      { key: 'test', weight: 30, affinity: 'm' },
    ];
    const { pages } = packPages(pair, 100);
    expect(pages[1]).toBe(pages[3]);
  });
});
