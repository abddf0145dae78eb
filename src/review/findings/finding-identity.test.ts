import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { numberEqualIds } from './finding-identity.js';
import { someFinding } from './testing/some-finding.js';

const quoted = { evidence: 'if (list.length === 0) return sum / list.length;' };

describe('the id of a finding', () => {
  it('does not see white space, diff signs, words or line numbers', () => {
    const { id } = someFinding(quoted);
    expect(someFinding({ evidence: `+   if (list.length === 0)  return sum / list.length;\r\n` }).id).toBe(
      id,
    );
    expect(
      someFinding({ ...quoted, message: 'Other words.', title: 'Other', severity: 'low', confidence: 0 }).id,
    ).toBe(id);
    expect(someFinding({ message: 'Wrong on line 12.' }).id).toBe(
      someFinding({ message: 'wrong on  line 340.' }).id,
    );
  });

  it('sees path, category and code', () => {
    const ids = [
      someFinding(quoted),
      someFinding({ ...quoted, path: 'src/b.ts' }),
      someFinding({ ...quoted, category: 'style' }),
      someFinding({ evidence: 'return sum / count;' }),
      someFinding(),
    ].map(({ id }) => id);
    expect(new Set(ids).size).toBe(ids.length);
  });

  it('is the same after any shift of lines, also where the same code stands several times', () => {
    const line = fc.integer({ min: 1, max: 1000 });
    fc.assert(
      fc.property(
        fc.uniqueArray(line, { minLength: 1, maxLength: 5 }),
        fc.nat(500),
        fc.boolean(),
        (lines, shift, turned) => {
          const name = (by: number, order = lines) =>
            numberEqualIds(
              order.map((at) => someFinding({ ...quoted, startLine: at + by, endLine: at + by })),
            );
          const ids = name(0).map(({ id }) => id);
          expect(new Set(ids).size).toBe(lines.length);
          expect(name(shift).map(({ id }) => id)).toEqual(ids);
          const mixed = name(0, turned ? [...lines].reverse() : [...lines].sort());
          expect(new Map(mixed.map(({ id, startLine }) => [startLine, id]))).toEqual(
            new Map(lines.map((at, index) => [at, ids[index]])),
          );
        },
      ),
    );
  });
});
