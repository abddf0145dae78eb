import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { nastyText } from '../../testing/nasty-text.js';
import { sharedStart, traceOf } from './prefixes.js';

describe('traces of texts', () => {
  it('find where two texts part, to within a few characters and never too late', () => {
    fc.assert(
      fc.property(nastyText(60), nastyText(20), nastyText(20), (start, left, right) => {
        const [one, other] = [start + left, start + right];
        let shared = 0;
        while (shared < Math.min(one.length, other.length) && one[shared] === other[shared]) shared += 1;
        const found = sharedStart(traceOf(one), traceOf(other));
        expect(found).toBeLessThanOrEqual(shared);
        expect(found).toBeGreaterThan(shared - 4);
      }),
      { numRuns: 1000 },
    );
  });
});
