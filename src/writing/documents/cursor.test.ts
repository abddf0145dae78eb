import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { piecesBefore } from './anchored-window.js';
import { indexText, surrounding } from './indexed-text.js';

const unit = fc.constantFrom('红', '楼', '😀', 'a', ' ', '。', '，', '\n', '．', '"');
const scene = fc.record({
  text: fc.string({ unit, maxLength: 120, size: 'max' }),
  cursor: fc.integer({ min: 0, max: 130 }),
  size: fc.integer({ min: 0, max: 60 }),
  by: fc.constantFrom('sentence' as const, 'paragraph' as const),
});

describe('the text before the cursor', () => {
  it('gives one unbroken stretch, nearest first, never beyond the reach', () => {
    let reached = 0;
    fc.assert(
      fc.property(scene, ({ text, cursor, ...reach }) => {
        const at = Math.min(cursor, indexText(text).length);
        const pieces = piecesBefore(text, cursor, reach);
        let near = at;
        for (const piece of pieces) {
          expect(piece.end).toBe(near);
          expect(piece.start).toBeLessThan(piece.end);
          near = piece.start;
        }
        expect(at - near).toBeLessThanOrEqual(reach.size);
        if (pieces.length > 1) reached += 1;
        // Where there is text and room there is at least one piece.
        expect(pieces.length > 0).toBe(at > 0 && reach.size > 0);
      }),
      { numRuns: 500 },
    );
    expect(reached).toBeGreaterThan(50);
  });

  it('ends its pieces with paragraphs or sentences', () => {
    const text = '第一段的话。它很短。\n\n第二段开始了。这里是中间。光标在此后面还有。';
    const cursor = text.indexOf('后面');
    const show = (by: 'sentence' | 'paragraph') =>
      piecesBefore(text, cursor, { size: 20, by }).map(({ start, end }) => text.slice(start, end));
    expect(show('sentence')).toEqual(['光标在此', '这里是中间。', '第二段开始了。']);
    expect(show('paragraph')).toEqual(['第二段开始了。这里是中间。光标在此']);
  });

  it('does not read the whole of a long text', () => {
    const text = '此开卷第一回也。作者自云。\n\n'.repeat(150_000);
    const pieces = piecesBefore(indexText(text), 2_000_000, { size: 100, by: 'sentence' });
    expect(pieces.length).toBeGreaterThan(8);
    expect(pieces[0]!.end).toBe(2_000_000);
  });

  it('refuses a cursor that is no position', () => {
    expect(() => piecesBefore('雨。', -1, { size: 1, by: 'sentence' })).toThrowError(
      expect.objectContaining({ code: 'INVALID_ARGUMENT', details: { field: 'cursorPosition' } }),
    );
  });
});

describe('the text around a selection', () => {
  it('is n code points on each side of the selection', () => {
    const text = '😀一二三四五😀';
    const indexed = indexText(text);
    const found = surrounding(text, { start: 2, end: 4 }, 2);
    expect(indexed.slice(found.before)).toBe('😀一');
    expect(indexed.slice(found.selection)).toBe('二三');
    expect(indexed.slice(found.after)).toBe('四五');
    expect(surrounding(text, { start: 0, end: 7 }, 5).before).toEqual({ start: 0, end: 0 });
  });

  it('refuses a selection that ends before it starts, and a fraction', () => {
    expect(() => surrounding('abc', { start: 2, end: 1 }, 1)).toThrowError(
      expect.objectContaining({ code: 'INVALID_ARGUMENT' }),
    );
    expect(() => surrounding('abc', { start: 0, end: 1 }, 0.5)).toThrowError(
      expect.objectContaining({ code: 'INVALID_ARGUMENT' }),
    );
  });
});
