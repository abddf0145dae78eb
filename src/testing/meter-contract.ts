// What every meter owes the press, as one suite: run it against yours inside a `describe`.
import fc from 'fast-check';
import { beforeAll, expect, it } from 'vitest';
import { amountOf, type Meter, weightOf } from '../core/model/meter.js';
import { nastyRuns, nastyText } from './nasty-text.js';

const seamOf = (meter: Meter, left: string, right: string): number => meter.seam?.(left, right) ?? 0;
const isWeight = (value: number): boolean => Number.isSafeInteger(value) && value >= 0;

export function meterContract(load: () => Promise<Meter>, options: { cases?: number } = {}): void {
  const cases = options.cases ?? 2000;
  let meter: Meter;

  beforeAll(async () => {
    meter = await load();
  });

  it('has an id and a positive integer scale', () => {
    expect(meter.id).not.toBe('');
    expect(Number.isSafeInteger(meter.scale) && meter.scale > 0).toBe(true);
  });

  it('weighs nothing as nothing', () => {
    expect(meter.weigh('')).toBe(0);
    expect(seamOf(meter, '', '')).toBe(0);
    expect(seamOf(meter, 'a', '')).toBe(0);
    expect(seamOf(meter, '', 'a')).toBe(0);
  });

  it('answers with the same non-negative safe integer every time', () => {
    fc.assert(
      fc.property(nastyText(40), nastyText(20), (text, other) => {
        const weight = meter.weigh(text);
        expect(isWeight(weight)).toBe(true);
        expect(isWeight(seamOf(meter, text, other))).toBe(true);
        meter.weigh(other);
        expect(meter.weigh(text)).toBe(weight);
      }),
      { numRuns: Math.ceil(cases / 10) },
    );
  });

  it('never costs more joined than apart plus the seam', () => {
    fc.assert(
      fc.property(nastyText(25), nastyText(25), (left, right) => {
        const apart = meter.weigh(left) + meter.weigh(right) + seamOf(meter, left, right);
        expect(meter.weigh(left + right)).toBeLessThanOrEqual(apart);
      }),
      { numRuns: cases },
    );
  });

  it('keeps that law where long runs meet', () => {
    fc.assert(
      fc.property(nastyRuns(120), nastyRuns(120), (left, right) => {
        const apart = meter.weigh(left) + meter.weigh(right) + seamOf(meter, left, right);
        expect(meter.weigh(left + right)).toBeLessThanOrEqual(apart);
      }),
      { numRuns: Math.ceil(cases / 20) },
    );
  });

  it('costs nothing to join where a line ends and a word, number or sign begins', () => {
    fc.assert(
      fc.property(nastyText(20), fc.constantFrom('a', 'B', '中', '7', '#', '{', '-', '“'), (text, first) => {
        expect(seamOf(meter, `${text}\n`, `${first}${text}`)).toBe(0);
      }),
      { numRuns: Math.ceil(cases / 10) },
    );
  });

  it('grows with the text: a much longer text never weighs less', () => {
    const long = 'The quick brown fox. 敏捷的棕色狐狸。\n'.repeat(50);
    fc.assert(
      fc.property(nastyText(10), (text) => {
        expect(meter.weigh(text + long)).toBeGreaterThan(meter.weigh(text));
      }),
      { numRuns: Math.ceil(cases / 20) },
    );
  });

  it('turns amounts into weights that cost no more than the amount', () => {
    fc.assert(
      fc.property(fc.nat({ max: 1_000_000 }), (n) => {
        expect(amountOf(meter, weightOf(meter, n)).n).toBeLessThanOrEqual(n);
      }),
    );
  });
}
