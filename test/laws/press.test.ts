// The laws of the press, over generated recipes, fragments and budgets, in tokens, bytes and code points.
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { typeset } from '../../src/core/assemble.js';
import { isGalleyError } from '../../src/core/model/error.js';
import type { Fragment } from '../../src/core/model/fragment.js';
import { amountOf, type Meter } from '../../src/core/model/meter.js';
import type { Assembly, PressSetup } from '../../src/core/model/press.js';
import type { LedgerLine } from '../../src/core/model/receipt.js';
import { hashText } from '../../src/meters/content-hash.js';
import { loadMeter } from '../../src/meters/load-meter.js';
import { sweepSize } from '../sweep-size.js';
import { dialectArbitrary, fragmentsArbitrary, recipeArbitrary } from './generators.js';

const scope = { project: 'p' };
const present = new Set(['kept', 'stepped-down', 'cut', 'refilled']);

for (const id of ['bytes', 'codepoints', 'chars/4', 'o200k_base']) {
  describe(`laws of the press in ${id}`, () => {
    let meter: Meter;
    const reach = { cases: 0, conceded: 0, refused: 0, refilled: 0, cut: 0, stepped: 0 };
    beforeAll(async () => {
      meter = await loadMeter(id);
    });
    afterAll(() => {
      const share = (n: number) => `${Math.round((100 * n) / Math.max(1, reach.cases))} %`;
      const { conceded, refused, refilled, cut, stepped } = reach;
      console.log(
        `reach in ${id}: ${reach.cases} cases, conceded ${share(conceded)}, refused ${share(refused)}, ` +
          `refilled ${share(refilled)}, cut ${share(cut)}, stepped down ${share(stepped)}`,
      );
      expect(conceded).toBeGreaterThan(reach.cases / 4);
      for (const rare of [refused, refilled, cut, stepped]) expect(rare).toBeGreaterThan(reach.cases / 50);
    });

    const caseArbitrary = fc.record({
      recipe: recipeArbitrary,
      dialect: dialectArbitrary,
      fragments: fragmentsArbitrary,
      percent: fc.integer({ min: 20, max: 105 }),
    });
    type Draft = typeof caseArbitrary extends fc.Arbitrary<infer Value> ? Value : never;
    type Case = Draft & { n: number };

    const pressOf = ({ recipe, dialect }: Case): PressSetup<string> => ({
      recipe,
      dialect,
      meter,
      hash: hashText,
    });
    const attempt = (one: Case, n = one.n, fragments = one.fragments): Assembly | undefined => {
      try {
        return typeset(pressOf(one), { scope, budget: { limit: { unit: meter.unit, n } } }, fragments);
      } catch (error) {
        if (isGalleyError(error) && error.code === 'CONTEXT_BUDGET_INFEASIBLE') return undefined;
        throw error;
      }
    };
    const observe = (assembly: Assembly | undefined) => {
      reach.cases += 1;
      if (assembly === undefined) {
        reach.refused += 1;
        return;
      }
      const verdicts = new Set(assembly.receipt.ledger.map(({ verdict }) => verdict));
      if (assembly.receipt.concessions.made > 0) reach.conceded += 1;
      if (verdicts.has('refilled')) reach.refilled += 1;
      if (verdicts.has('cut')) reach.cut += 1;
      if (verdicts.has('stepped-down')) reach.stepped += 1;
    };
    // Budgets are a part of what everything would cost, so that most cases have to give something up.
    const check = (law: (one: Case) => void) =>
      fc.assert(
        fc.property(caseArbitrary, (draft) => {
          const whole = attempt({ ...draft, n: 0 }, 1_000_000)?.receipt.used.n ?? 0;
          law({ ...draft, n: Math.floor((whole * draft.percent) / 100) });
        }),
        { numRuns: sweepSize('laws of the press', { everyRun: 100, nightly: 4000 }), seed: 20 },
      );
    const textsOf = (assembly: Assembly) =>
      assembly.prompt.pages.flatMap(({ parts }) => parts.map(({ text }) => text));
    const linesOf = (assembly: Assembly) =>
      new Map(assembly.receipt.ledger.map((line): [string, LedgerLine] => [line.fragment, line]));

    it('never exceeds the budget, measured anew on the final text', () => {
      check((one) => {
        const assembly = attempt(one);
        observe(assembly);
        if (assembly === undefined) return;
        const whole = textsOf(assembly).reduce((sum, text) => sum + meter.weigh(text), 0);
        expect(amountOf(meter, whole).n).toBeLessThanOrEqual(one.n);
        expect(assembly.receipt.used.n).toBeLessThanOrEqual(one.n);
      });
    });

    it('gives every fragment exactly one verdict', () => {
      check((one) => {
        const assembly = attempt(one);
        if (assembly === undefined) return;
        const ids = assembly.receipt.ledger.map(({ fragment }) => fragment).sort();
        expect(ids).toEqual(one.fragments.map((fragment) => fragment.id).sort());
      });
    });

    it('does not care in which order fragments arrive', () => {
      check((one) => {
        const reversed = attempt(one, one.n, [...one.fragments].reverse());
        expect(reversed).toEqual(attempt(one));
      });
    });

    it('always keeps what never yields', () => {
      check((one) => {
        const assembly = attempt(one);
        if (assembly === undefined) return;
        const firm = new Set(
          one.recipe.layers
            .filter(({ yieldOrder }) => yieldOrder === undefined)
            .map(({ id: layer }) => layer),
        );
        const lines = linesOf(assembly);
        for (const fragment of one.fragments) {
          if (fragment.pinned || firm.has(fragment.layer))
            expect(lines.get(fragment.id)?.verdict).toBe('kept');
        }
      });
    });

    it('never loses a fragment to more room, refilled ones excepted', () => {
      check((one) => {
        const less = attempt(one);
        const more = attempt(one, one.n + 1 + (one.n % 37));
        if (less === undefined) return;
        expect(more).toBeDefined();
        if (more === undefined) return;
        const lines = linesOf(more);
        for (const line of less.receipt.ledger) {
          if (line.verdict === 'refilled' || !present.has(line.verdict)) continue;
          expect(present.has(lines.get(line.fragment)?.verdict ?? '')).toBe(true);
        }
      });
    });

    it('drops nothing while a lower-ranked one of its layer stays, refilled ones excepted', () => {
      check((one) => {
        const assembly = attempt(one);
        if (assembly === undefined) return;
        const lines = linesOf(assembly);
        for (const layer of one.recipe.layers) {
          if (layer.yieldOrder === undefined || !['highest-rank', 'nearest'].includes(layer.keep)) continue;
          const free = one.fragments.filter((f) => f.layer === layer.id && !f.pinned && f.bond === undefined);
          const gone = free.filter((f) => lines.get(f.id)?.verdict === 'conceded');
          const stays = free.filter((f) => lines.get(f.id)?.verdict === 'kept');
          for (const lost of gone)
            for (const kept of stays) expect(kept.rank).toBeGreaterThanOrEqual(lost.rank);
        }
      });
    });

    it('cuts down the lowest rank and lets it go before a better one loses anything', () => {
      check((one) => {
        const assembly = attempt(one);
        if (assembly === undefined) return;
        const lines = linesOf(assembly);
        for (const layer of one.recipe.layers) {
          if (layer.keep !== 'rank-then-level') continue;
          const free = one.fragments.filter((f) => f.layer === layer.id && !f.pinned && f.bond === undefined);
          const touched = free.filter((f) => lines.get(f.id)?.verdict !== 'kept');
          const stands = free.filter((f) => present.has(lines.get(f.id)?.verdict ?? ''));
          for (const lost of touched)
            for (const other of stands)
              if (other !== lost) expect(other.rank).toBeGreaterThanOrEqual(lost.rank);
          expect(free.filter((f) => lines.get(f.id)?.verdict === 'stepped-down').length).toBeLessThanOrEqual(
            1,
          );
        }
      });
    });

    it('never shows less of a fragment with more room, refilled ones excepted', () => {
      check((one) => {
        const less = attempt(one);
        const more = attempt(one, one.n + 1 + (one.n % 37));
        if (less === undefined || more === undefined) return;
        const lines = linesOf(more);
        const depth = (line: LedgerLine | undefined) => Number(line?.level?.replace(/\D/g, '') ?? 99);
        for (const line of less.receipt.ledger) {
          if (line.verdict !== 'kept' && line.verdict !== 'stepped-down') continue;
          expect(depth(lines.get(line.fragment))).toBeLessThanOrEqual(depth(line));
        }
      });
    });

    it('keeps bonded fragments together', () => {
      check((one) => {
        const assembly = attempt(one);
        if (assembly === undefined) return;
        const lines = linesOf(assembly);
        const whole = new Set(['highest-rank', 'nearest', 'newest']);
        const layers = new Set(
          one.recipe.layers.filter(({ keep }) => whole.has(keep)).map(({ id: layer }) => layer),
        );
        const stands = new Map<string, boolean>();
        for (const fragment of one.fragments) {
          if (fragment.bond === undefined || !layers.has(fragment.layer)) continue;
          const key = `${fragment.layer} ${fragment.bond}`;
          const here = present.has(lines.get(fragment.id)?.verdict ?? '');
          expect(here).toBe(stands.get(key) ?? here);
          stands.set(key, here);
        }
      });
    });

    it('points every span at the words of its fragment', () => {
      check((one) => {
        const assembly = attempt(one);
        if (assembly === undefined) return;
        const byId = new Map(
          one.fragments.map((fragment): [string, Fragment<string>] => [fragment.id, fragment]),
        );
        const lines = linesOf(assembly);
        for (const { text, spans } of assembly.prompt.pages.flatMap(({ parts }) => parts)) {
          const bytes = Buffer.from(text);
          for (const { fragment, start, end } of spans) {
            const words = bytes.subarray(start, end).toString();
            const line = lines.get(fragment);
            const body = byId.get(fragment)?.levels.find(({ name }) => name === line?.level)?.body ?? '';
            const wordings = [...one.fragments.keys()].map((at) =>
              one.dialect.word(body, byId.get(fragment)!, at + 1),
            );
            const matches = (whole: string) =>
              line?.verdict === 'cut' ? whole.startsWith(words) : whole === words;
            expect(wordings.some(matches)).toBe(true);
          }
        }
      });
    });

    it('gives equal prefix bytes for equal stable layers', () => {
      check((one) => {
        const others = one.fragments.filter(({ section }) => section !== 's4');
        const roomy = 100_000;
        const left = attempt(one, roomy);
        const right = attempt(one, roomy, [
          ...others,
          ...one.fragments.filter((f) => f.section === 's4').slice(1),
        ]);
        if (left === undefined || right === undefined) return;
        const prefix = (assembly: Assembly) =>
          assembly.receipt.pages[0]?.parts.map((part) => {
            const text =
              assembly.prompt.pages[0]?.parts.find(({ channel }) => channel === part.channel)?.text ?? '';
            return Buffer.from(text).subarray(0, part.stableBytes).toString().trimEnd();
          })[0];
        if (one.fragments.some(({ section }) => section === 's1')) expect(prefix(left)).toBe(prefix(right));
      });
    });
  });
}
