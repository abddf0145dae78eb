import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { PlacedFinding } from './check-anchors.js';
import { compareFindings, type ReviewFinding, severities } from './finding.js';
import { mergeFindings } from './merge-findings.js';
import { someFinding } from './testing/some-finding.js';

const anchored = (changes: Partial<ReviewFinding> = {}): PlacedFinding => ({
  finding: someFinding(changes),
  place: { kind: 'anchored', by: 'given' },
});
const unplaced = (changes: Partial<ReviewFinding> = {}): PlacedFinding => ({
  finding: someFinding(changes),
  place: { kind: 'summary', reason: 'outside-hunks' },
});
const merged = (...placed: PlacedFinding[]) => mergeFindings(placed).findings.map(({ finding }) => finding);

const message = 'The divisor may be zero when the list is empty.';
const reworded = 'The divisor may be zero when the given list is empty!';

describe('joining findings that say the same', () => {
  it('says once what two pages said in similar words about overlapping lines', () => {
    const twice = mergeFindings([
      anchored({ message, startLine: 4, endLine: 6, severity: 'medium', confidence: 0.9 }),
      anchored({ message: reworded, startLine: 5, endLine: 5, severity: 'high', confidence: 0.4 }),
    ]);
    expect(twice.duplicates).toBe(1);
    expect(twice.findings).toMatchObject([{ finding: { severity: 'high', confidence: 0.9 } }]);
  });

  it('compares Chinese by its characters', () => {
    expect(
      merged(
        anchored({ message: '列表为空时除数可能为零' }),
        anchored({ message: '当列表为空时，除数可能为零。' }),
      ),
    ).toHaveLength(1);
    expect(
      merged(
        anchored({ message: '列表为空时除数可能为零' }),
        anchored({ message: '变量名称没有意义，请改掉' }),
      ),
    ).toHaveLength(2);
  });

  it.each([
    ['other words', { message: 'The name tells nothing about its purpose.' }],
    ['another category', { category: 'style' }],
    ['another file', { path: 'src/b.ts' }],
    ['other lines', { startLine: 9, endLine: 9 }],
    ['the other side', { side: 'old' as const }],
  ])('keeps both for %s', (_, changes) => {
    const both = merged(anchored(), anchored(changes));
    expect(both).toHaveLength(2);
    expect(new Set(both.map(({ id }) => id)).size).toBe(2);
  });

  it('lets an anchored finding absorb one that found no place', () => {
    const [only, ...more] = mergeFindings([
      unplaced({ startLine: 99, endLine: 99, severity: 'critical' }),
      anchored(),
    ]).findings;
    expect(more).toEqual([]);
    expect(only).toMatchObject({
      place: { kind: 'anchored' },
      finding: { startLine: 1, severity: 'critical' },
    });
  });

  it('keeps the better anchor of two, whichever page is worse or surer [R14]', () => {
    const clipped: PlacedFinding = {
      finding: someFinding({ startLine: 1, endLine: 3, severity: 'critical', confidence: 1 }),
      place: { kind: 'anchored', by: 'clip' },
    };
    const [only, ...more] = mergeFindings([clipped, anchored({ startLine: 2, endLine: 2 })]).findings;
    expect(more).toEqual([]);
    expect(only).toMatchObject({
      place: { by: 'given' },
      finding: { startLine: 2, endLine: 2, severity: 'critical', confidence: 1 },
    });
  });

  it('joins what two pages say of neighbouring lines, and nothing that one page tells apart [R14]', () => {
    const on = (page: number, startLine: number, changes: Partial<ReviewFinding> = {}) => ({
      ...anchored({ startLine, endLine: startLine, ...changes }),
      page,
    });
    const count = (...said: Parameters<typeof mergeFindings>[0]) => mergeFindings(said).findings.length;
    expect(count(on(1, 4), on(2, 7))).toBe(1);
    expect(count(on(1, 4, { evidence: 'a / count' }), on(2, 6, { evidence: 'return a / count;' }))).toBe(1);
    expect(count(on(1, 4), on(2, 8))).toBe(2);
    expect(count(on(1, 4), on(1, 5))).toBe(2);
    expect(count(on(1, 4, { message }), on(2, 5, { message: 'The divisor may be zero here, too.' }))).toBe(2);
    expect(count(on(1, 4, { evidence: 'a / count' }), on(2, 5, { evidence: 'b / count' }))).toBe(2);
  });

  it('takes over a suggestion for the same lines only', () => {
    const suggestion = { replacement: 'x', startLine: 1, endLine: 1 };
    expect(merged(anchored({ confidence: 1 }), anchored({ suggestion }))).toMatchObject([{ suggestion }]);
    const wider = anchored({ endLine: 2, suggestion: { ...suggestion, endLine: 2 } });
    expect(merged(anchored({ confidence: 1 }), wider)[0]!.suggestion).toBeUndefined();
  });

  it('gives the same answer in the same order, whatever arrives first', () => {
    const one = fc
      .record({
        startLine: fc.integer({ min: 1, max: 6 }),
        message: fc.constantFrom(message, reworded, 'Something else entirely is wrong.', 'Rename it.'),
        severity: fc.constantFrom(...severities),
        confidence: fc.constantFrom(0.2, 0.5, 0.9),
        category: fc.constantFrom('correctness', 'style'),
        evidence: fc.constantFrom('', 'sum / count', 'total()'),
        placed: fc.boolean(),
      })
      .map(({ placed, ...changes }) =>
        (placed ? anchored : unplaced)({ ...changes, endLine: changes.startLine + 1 }),
      );
    let absorbed = 0;
    fc.assert(
      fc.property(fc.array(one, { maxLength: 12 }), fc.infiniteStream(fc.nat()), (placed, dice) => {
        const shuffled = [...placed]
          .map((item) => ({ item, key: dice.next().value as number }))
          .sort((left, right) => left.key - right.key)
          .map(({ item }) => item);
        const result = mergeFindings(placed);
        expect(mergeFindings(shuffled)).toEqual(result);
        absorbed += result.duplicates;
        expect(result.findings.length + result.duplicates).toBe(placed.length);
        const findings = result.findings.map(({ finding }) => finding);
        expect([...findings].sort(compareFindings)).toEqual(findings);
        expect(new Set(findings.map(({ id }) => id)).size).toBe(findings.length);
      }),
      { numRuns: 300 },
    );
    expect(absorbed).toBeGreaterThan(100);
  });
});
