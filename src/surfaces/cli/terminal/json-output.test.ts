import fc from 'fast-check';
import { expect, it } from 'vitest';
import { jsonPieces } from './json-output.js';

it('the pieces are the bytes of JSON.stringify, none larger than an entry of a list [D10]', () => {
  fc.assert(
    fc.property(fc.object({ maxDepth: 5, withDate: true, withSparseArray: true }), (value) => {
      expect([...jsonPieces(value)].join('')).toBe(JSON.stringify(value));
    }),
  );
  const chunks = Array.from({ length: 50 }, () => 'x'.repeat(1000));
  expect(
    Math.max(...[...jsonPieces({ chunks, receipt: { ledger: chunks } })].map(({ length }) => length)),
  ).toBe(1002);
});
