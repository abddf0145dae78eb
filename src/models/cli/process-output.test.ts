import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { splitLines } from './process-output.js';

const collect = (chunks: readonly Buffer[], most = 1000) => {
  const lines: string[] = [];
  const splitter = splitLines(most, (line) => lines.push(line));
  const fine = chunks.map((chunk) => splitter.push(chunk));
  splitter.end();
  return { lines, fine: fine.every(Boolean) };
};

describe('splitting lines', () => {
  it('gives the same lines however the bytes are cut', () => {
    const text = fc
      .array(fc.oneof(fc.string({ unit: 'binary' }), fc.constant('\n')))
      .map((parts) => parts.join(''));
    fc.assert(
      fc.property(text, fc.array(fc.integer({ min: 1, max: 9 }), { minLength: 1 }), (whole, sizes) => {
        const bytes = Buffer.from(whole.toWellFormed());
        const chunks: Buffer[] = [];
        for (let at = 0, turn = 0; at < bytes.length; turn += 1) {
          const size = sizes[turn % sizes.length] ?? 1;
          chunks.push(bytes.subarray(at, at + size));
          at += size;
        }
        const expected = bytes
          .toString('utf8')
          .split('\n')
          .filter((line) => line !== '');
        expect(collect(chunks)).toEqual({ lines: expected, fine: true });
      }),
    );
  });

  it('stops at a line that outgrows the limit and keeps none of it', () => {
    const { lines, fine } = collect(
      [Buffer.from('ok\n12345'), Buffer.from('678901'), Buffer.from('\nlater\n')],
      10,
    );
    expect(fine).toBe(false);
    expect(lines).toEqual(['ok']);
  });
});
