import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { indexText } from './indexed-text.js';

const anyText = fc.string({
  unit: fc.constantFrom('a', '红', '𫚭', '😀', '\ud83d', '\udc00', '\n'),
  maxLength: 40,
});

describe('positions in a text', () => {
  it('agrees with string iteration at every position', () => {
    fc.assert(
      fc.property(anyText, fc.integer({ min: 0, max: 40 }), fc.integer({ min: 0, max: 40 }), (text, a, b) => {
        const [start, end] = [Math.min(a, b), Math.max(a, b)];
        const points = [...text];
        const indexed = indexText(text);
        expect(indexed.length).toBe(points.length);
        expect(indexed.slice({ start, end })).toBe(points.slice(start, end).join(''));
        expect(indexed.positionAt(indexed.unitAt(start))).toBe(Math.min(start, points.length));
      }),
    );
  });

  it('finds positions beyond many strides of the table', () => {
    const text = '红😀'.repeat(5_000);
    const indexed = indexText(text);
    expect(indexed.length).toBe(10_000);
    expect(indexed.slice({ start: 9_997, end: 9_999 })).toBe('😀红');
    expect(indexed.positionAt(indexed.unitAt(7_777))).toBe(7_777);
    // The second half of a pair belongs to the code point it completes.
    expect(indexed.positionAt(2)).toBe(1);
  });
});
