import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { selectFindings } from '../report/report.js';
import type { PlacedFinding } from './check-anchors.js';
import { type ReviewFinding, severities } from './finding.js';
import { carryOver } from './merge-findings.js';
import { someFinding } from './testing/some-finding.js';

const item = (changes: Partial<ReviewFinding> = {}) => ({
  finding: someFinding(changes),
  place: { kind: 'anchored', by: 'given' } as PlacedFinding['place'],
});

describe('comparing with the findings of the run before', () => {
  it('tells new, still there and resolved', () => {
    const earlier = [
      someFinding({ evidence: 'sum / count', startLine: 5, endLine: 5 }),
      someFinding({ message: 'The file is never closed after reading.' }),
    ];
    const today = [
      item({ evidence: 'sum  /  count', startLine: 25, endLine: 25 }),
      item({ message: 'Names tell nothing.' }),
    ];
    const { current, resolved } = carryOver(today, { earlier });
    expect(current.map(({ standing }) => standing)).toEqual(['still-there', 'new']);
    expect(current[0]!.finding).toMatchObject({ id: earlier[0]!.id, startLine: 25 });
    expect(resolved).toEqual([earlier[1]]);
  });

  it('knows a reworded remark and keeps its name', () => {
    const before = someFinding({ message: 'The divisor may be zero when the list is empty.' });
    const { current } = carryOver(
      [item({ message: 'The divisor may become zero when the list is empty.' })],
      { earlier: [before] },
    );
    expect(current).toMatchObject([{ standing: 'still-there', finding: { id: before.id } }]);
  });

  it('resolves nothing that was not looked at', () => {
    const before = someFinding({ path: 'src/b.ts' });
    const reviewedAgain = ({ path }: ReviewFinding) => path === 'src/a.ts';
    expect(carryOver([], { earlier: [before], reviewedAgain })).toEqual({
      current: [],
      resolved: [],
      unchecked: [before],
    });
  });

  it('gives every finding of today and before exactly one standing, and unique ids', () => {
    const one = fc
      .record({
        path: fc.constantFrom('src/a.ts', 'src/b.ts'),
        startLine: fc.integer({ min: 1, max: 30 }),
        evidence: fc.constantFrom('', 'sum / count', 'open(file)'),
        message: fc.constantFrom(
          'The divisor may be zero.',
          'The divisor may well be zero.',
          'Never closed.',
        ),
      })
      .map((changes) => someFinding({ ...changes, endLine: changes.startLine }));
    const unique = fc.uniqueArray(one, { maxLength: 8, selector: ({ id }) => id });
    let kept = 0;
    fc.assert(
      fc.property(unique, unique, (now, earlier) => {
        const { current, resolved, unchecked } = carryOver(
          now.map((finding) => ({ finding })),
          {
            earlier,
            reviewedAgain: ({ path }) => path === 'src/a.ts',
          },
        );
        const still = current.filter(({ standing }) => standing === 'still-there');
        kept += still.length;
        expect(current).toHaveLength(now.length);
        expect(
          [
            ...still.map(({ finding }) => finding.id),
            ...resolved.map(({ id }) => id),
            ...unchecked.map(({ id }) => id),
          ].sort(),
        ).toEqual(earlier.map(({ id }) => id).sort());
        expect(new Set(current.map(({ finding }) => finding.id)).size).toBe(now.length);
      }),
    );
    expect(kept).toBeGreaterThan(50);
  });
});

describe('choosing the findings to show', () => {
  it('orders by severity, confidence and path, and holds back with a reason', () => {
    const items = [
      item({ severity: 'low', confidence: 1 }),
      item({ severity: 'high', confidence: 0.5, path: 'src/b.ts' }),
      item({ severity: 'high', confidence: 0.5, path: 'src/a.ts' }),
      item({ severity: 'critical', confidence: 0.1 }),
      item({ severity: 'high', confidence: 0.9, path: 'src/z.ts' }),
    ];
    const { kept, held } = selectFindings(items, { minSeverity: 'medium', minConfidence: 0.3, most: 2 });
    expect(kept).toEqual([items[4], items[2]]);
    const away = {
      ...item({ severity: 'critical' }),
      place: { kind: 'summary', reason: 'not-in-change' } as const,
    };
    const real = item({ severity: 'low' });
    expect(selectFindings([away, real], { most: 1 }).kept).toEqual([real]);
    expect(selectFindings([away, real]).kept).toEqual([real, away]);
    expect(held).toEqual([
      { item: items[3], reason: 'below-threshold' },
      { item: items[1], reason: 'over-cap' },
      { item: items[0], reason: 'below-threshold' },
    ]);
  });

  it('loses nothing', () => {
    const any = fc.record({
      severity: fc.constantFrom(...severities),
      confidence: fc.double({ min: 0, max: 1, noNaN: true }),
    });
    fc.assert(
      fc.property(
        fc.array(any.map(item)),
        fc.constantFrom(...severities),
        fc.nat(5),
        (items, minSeverity, most) => {
          const { kept, held } = selectFindings(items, { minSeverity, most });
          expect(new Set([...kept, ...held.map((one) => one.item)])).toEqual(new Set(items));
          expect(kept.length + held.length).toBe(items.length);
          expect(kept.length).toBeLessThanOrEqual(most);
        },
      ),
    );
  });
});
