import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { bytesMeter, charsPerFourMeter } from '../../meters/plain-meters.js';
import { longestHead } from './concede.js';

describe('the head of a text that is cut', () => {
  it('is the longest head that fits, on a code-point border', () => {
    const text = fc
      .array(fc.constantFrom('a', '汉', '😀', '\n', 'é'))
      .map((parts) => parts.join('').repeat(40));
    for (const meter of [bytesMeter, charsPerFourMeter]) {
      fc.assert(
        fc.property(text, fc.integer({ min: 0, max: 9000 }), (whole, room) => {
          const end = longestHead(whole, room, meter);
          const head = whole.slice(0, end);
          expect(head.isWellFormed()).toBe(true);
          expect(meter.weigh(head)).toBeLessThanOrEqual(room);
          const next = whole.codePointAt(end);
          if (next !== undefined)
            expect(meter.weigh(head + String.fromCodePoint(next))).toBeGreaterThan(room);
        }),
        { numRuns: 200, seed: 11 },
      );
    }
  });
});
