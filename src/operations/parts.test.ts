// An answer in parts: nothing is lost, nothing is there twice, and no part is larger than was asked for.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type AnswerPart, partOf } from './parts.js';

const entry = fc.oneof(
  fc.string(),
  fc.integer(),
  fc.record({ path: fc.string(), lines: fc.array(fc.nat()) }),
);
const list = fc.array(entry, { maxLength: 30 });
const answers = fc.record({
  chunks: list,
  coverage: fc.string({ maxLength: 20 }),
  receipt: fc.record({ id: fc.string({ maxLength: 10 }), ledger: list, layers: list }),
  warnings: list,
});

type Answer = typeof answers extends fc.Arbitrary<infer Value> ? Value : never;
type Part = Answer & { readonly part?: AnswerPart };

function allParts(answer: Answer, partBytes: number): Part[] {
  const parts = [partOf(answer, { partBytes }) as Part];
  for (let next = parts[0]?.part?.next; next !== undefined; next = parts.at(-1)?.part?.next)
    parts.push(partOf(answer, { part: next, partBytes }) as Part);
  return parts;
}

const joined = (parts: readonly Part[], listOf: (part: Part) => readonly unknown[]) => parts.flatMap(listOf);

describe('the parts of an answer', () => {
  it('are together the whole answer, in order [D10]', () => {
    let split = 0;
    fc.assert(
      fc.property(answers, fc.integer({ min: 100, max: 2000 }), (answer, partBytes) => {
        const parts = allParts(answer, partBytes);
        if (parts.length > 1) split += 1;
        expect(joined(parts, ({ chunks }) => chunks)).toEqual(answer.chunks);
        expect(joined(parts, ({ warnings }) => warnings)).toEqual(answer.warnings);
        expect(joined(parts, ({ receipt }) => receipt.ledger)).toEqual(answer.receipt.ledger);
        expect(joined(parts, ({ receipt }) => receipt.layers)).toEqual(answer.receipt.layers);
        for (const { coverage, receipt } of parts)
          expect([coverage, receipt.id]).toEqual([answer.coverage, answer.receipt.id]);
      }),
    );
    expect(split).toBeGreaterThan(20);
  });

  it('are no larger than was asked for, but for an entry that is larger itself [D10]', () => {
    fc.assert(
      fc.property(answers, fc.integer({ min: 100, max: 2000 }), (answer, partBytes) => {
        for (const { part: _, ...own } of allParts(answer, partBytes)) {
          const entries = [...own.chunks, ...own.warnings, ...own.receipt.ledger, ...own.receipt.layers];
          if (entries.length > 1)
            expect(Buffer.byteLength(JSON.stringify(own))).toBeLessThanOrEqual(partBytes);
        }
      }),
    );
  });

  it('say which they are, what comes next, and whose they are [D10]', () => {
    const answer = { chunks: ['a'.repeat(600), 'b'.repeat(600)], omitted: ['c'] };
    const first = partOf(answer, { partBytes: 1000 });
    const last = partOf(answer, { part: 2, partBytes: 1000 });
    expect(first).toMatchObject({
      chunks: ['a'.repeat(600)],
      omitted: [],
      part: { number: 1, of: 2, next: 2 },
    });
    expect(last).toMatchObject({ chunks: ['b'.repeat(600)], omitted: ['c'], part: { number: 2, of: 2 } });
    const digest = (part: object) => (part as Part).part?.digest;
    expect(digest(first)).toBe(digest(last));
    expect(digest(partOf({ ...answer, omitted: ['d'] }, { partBytes: 1000 }))).not.toBe(digest(first));
    expect(partOf(answer, { partBytes: 10_000 })).toBe(answer);
    expect(() => partOf(answer, { part: 3, partBytes: 1000 })).toThrow(
      expect.objectContaining({ code: 'INVALID_ARGUMENT', details: { field: 'part' } }),
    );
  });
});
