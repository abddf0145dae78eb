import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { divideTerms, readLists } from './term-lists.js';

const headOf = (block: number, holders: number) => {
  const head = Buffer.alloc(12);
  head.writeBigInt64BE(BigInt(block));
  head.writeInt32BE(holders, 8);
  return head;
};

const term = fc.constantFrom('a', 'b', 'c', '林远', '__proto__');
const chunk = fc.record({
  gap: fc.oneof(fc.integer({ min: 1, max: 300 }), fc.integer({ min: 1, max: 2 ** 40 })),
  length: fc.integer({ min: 1, max: 100_000 }),
  counts: fc.dictionary(term, fc.integer({ min: 1, max: 20_000 }), { noNullPrototype: true }),
});

describe('lists of common terms', () => {
  it('hold with what stays at the chunks every count once', () => {
    let listed = 0;
    fc.assert(
      fc.property(fc.array(chunk, { minLength: 1, maxLength: 12 }), fc.boolean(), (drawn, isReversed) => {
        let number = 0;
        const chunks = drawn.map(({ gap, length, counts }) => {
          number += gap;
          return { number, length, counts: new Map(Object.entries(counts)) };
        });
        const told = (where: { number: number; length: number }, word: string, count: number) =>
          `${where.number} ${where.length} ${word} ${count}`;
        const expected = chunks.flatMap((each) => [...each.counts].map(([word, n]) => told(each, word, n)));

        const { block, lists, loose } = divideTerms(isReversed ? [...chunks].reverse() : chunks);
        const found = loose.flatMap((each) => {
          const repeated = new Map<string, number>(Object.entries(JSON.parse(each.repeated ?? '{}')));
          return each.terms.map((word) => told(each, word, repeated.get(word) ?? 1));
        });
        for (const { term: word, holders, packed } of lists) {
          // Twice, as the lists of two documents follow each other.
          const one = Buffer.concat([headOf(block, holders), packed]);
          const held: string[] = [];
          readLists(Buffer.concat([one, one]), (chunk, count, length) =>
            held.push(told({ number: chunk, length }, word, count)),
          );
          expect(held.slice(holders)).toEqual(held.slice(0, holders));
          found.push(...held.slice(0, holders));
          listed += 1;
        }
        expect(found.sort()).toEqual(expected.sort());
      }),
    );
    expect(listed).toBeGreaterThan(50);
  });
});
