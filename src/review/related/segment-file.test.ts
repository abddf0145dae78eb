import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { segmentFile } from './segment-file.js';

describe('segments of a file', () => {
  it('keeps a short function whole with the comment above it', () => {
    const lines = ['import a;', '', '/** Adds. */', 'function add() {', '  one();', '  two();', '}'];
    const symbols = [{ name: 'add', kind: 'function', startLine: 4, endLine: 7 }];
    expect(segmentFile(lines, symbols, 14)).toEqual([
      { startLine: 1, endLine: 2 },
      { startLine: 3, endLine: 7 },
    ]);
  });

  it('cuts a long function at a blank line rather than in the middle of a run', () => {
    const lines = Array.from({ length: 20 }, (_, index) => (index === 9 ? '' : `    call${index}();`));
    expect(segmentFile(lines, [], 14)[0]).toEqual({ startLine: 1, endLine: 10 });
  });

  it('covers every line once, in order, whatever the symbols say', () => {
    const symbol = fc
      .tuple(fc.integer({ min: -2, max: 50 }), fc.integer({ min: 0, max: 30 }))
      .map(([startLine, length]) => ({
        name: 'x',
        kind: 'function',
        startLine,
        endLine: startLine + length,
      }));
    const lines = fc.array(fc.constantFrom('', 'a b', '  c', '}', '// d'), { minLength: 1, maxLength: 50 });
    fc.assert(
      fc.property(
        lines,
        fc.array(symbol, { maxLength: 8 }),
        fc.integer({ min: 2, max: 20 }),
        (text, symbols, longest) => {
          let next = 1;
          for (const segment of segmentFile(text, symbols, longest)) {
            expect(segment.startLine).toBe(next);
            expect(segment.endLine).toBeGreaterThanOrEqual(segment.startLine);
            next = segment.endLine + 1;
          }
          expect(next).toBe(text.length + 1);
        },
      ),
    );
  });
});
