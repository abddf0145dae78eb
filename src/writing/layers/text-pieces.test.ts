import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { textPieces } from '../sources/read-text.js';

const sentence = fc.constantFrom(
  '他走了。',
  '“来。”她说。\n',
  '雨。\n\n',
  'It rained. ',
  '长句子没有标点'.repeat(12),
  '😀𠀀。',
);
const text = fc.array(sentence, { maxLength: 60 }).map((parts) => parts.join(''));

describe('text pieces', () => {
  it('tile the text and keep to their size', () => {
    fc.assert(
      fc.property(text, fc.nat(), (whole, at) => {
        const cursor = whole.length === 0 ? 0 : at % (whole.length + 1);
        const pieces = textPieces(whole, { from: 0, to: whole.length, cursor }, { fine: 60, most: 50 });
        expect(pieces.map((piece) => piece.text).join('')).toBe(whole);
        for (const piece of pieces) expect(whole.slice(piece.from, piece.to)).toBe(piece.text);
        for (const { from, to } of pieces) {
          expect(to - from).toBeGreaterThan(0);
          expect(whole.slice(from, to).isWellFormed()).toBe(true);
          expect(to - from).toBeLessThanOrEqual(52);
        }
      }),
    );
  });

  it('are sentences near the cursor and runs of sentences farther away', () => {
    const whole = '他慢慢走过长桥。'.repeat(40);
    const pieces = textPieces(
      whole,
      { from: 0, to: whole.length, cursor: whole.length },
      { fine: 1, most: 40 },
    );
    expect(pieces.at(-1)).toMatchObject({ from: 312, to: 320, text: '他慢慢走过长桥。', closes: true });
    expect(pieces[0]).toMatchObject({ from: 0, to: 8, text: '他慢慢走过长桥。', closes: false });
    const lines = `${'他慢慢走过长桥。'.repeat(10)}\n`.repeat(3);
    const far = textPieces(
      lines,
      { from: 0, to: lines.length, cursor: lines.length },
      { fine: 20, most: 40 },
    );
    expect(far[0]).toMatchObject({ from: 0, to: 40, text: lines.slice(0, 40), closes: false });
    expect(far.filter(({ closes }) => closes)).toHaveLength(3);
  });
});
