import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { cursorPieces } from './cursor-pieces.js';
import { indexText } from './indexed-text.js';
import { surrounding } from './surrounding.js';
import { textAroundCursor } from './text-around-cursor.js';

const unit = fc.constantFrom('红', '楼', '😀', 'a', ' ', '。', '，', '\n', '．', '"');
const scene = fc.record({
  text: fc.string({ unit, maxLength: 120, size: 'max' }),
  cursor: fc.integer({ min: 0, max: 130 }),
  before: fc.integer({ min: 0, max: 60 }),
  after: fc.integer({ min: 0, max: 60 }),
  by: fc.constantFrom('sentence' as const, 'paragraph' as const),
  longest: fc.integer({ min: 1, max: 30 }),
});

describe('cursorPieces', () => {
  it('gives one unbroken stretch on each side, nearest first, never beyond the reach', () => {
    let reached = 0;
    fc.assert(
      fc.property(scene, ({ text, cursor, ...reach }) => {
        const at = Math.min(cursor, indexText(text).length);
        const pieces = cursorPieces(text, cursor, reach);
        let near = at;
        for (const piece of pieces.before) {
          expect(piece.end).toBe(near);
          expect(piece.start).toBeLessThan(piece.end);
          near = piece.start;
        }
        expect(at - near).toBeLessThanOrEqual(reach.before);
        let far = at;
        for (const piece of pieces.after) {
          expect(piece.start).toBe(far);
          expect(piece.end).toBeGreaterThan(far);
          far = piece.end;
        }
        expect(far - at).toBeLessThanOrEqual(reach.after);
        if (pieces.before.length > 1) reached += 1;
        // Where there is text and room there is at least one piece.
        expect(pieces.before.length > 0).toBe(at > 0 && reach.before > 0);
      }),
      { numRuns: 500 },
    );
    expect(reached).toBeGreaterThan(50);
  });

  it('does not read the whole of a long text', () => {
    const text = '此开卷第一回也。作者自云。\n\n'.repeat(150_000);
    const indexed = indexText(text);
    const pieces = cursorPieces(indexed, 2_000_000, { before: 100, after: 100 });
    expect(pieces.before.length).toBeGreaterThan(8);
    expect(pieces.before[0]!.end).toBe(2_000_000);
  });
});

describe('textAroundCursor', () => {
  const text = '第一段的话。它很短。\n\n第二段开始了。这里是中间。光标在此后面还有。\n\n第三段结束。';
  const cursor = text.indexOf('后面');
  const show = (reach: { before: number; after: number }) => {
    const around = textAroundCursor(text, cursor, reach);
    return [
      text.slice(around.before.start, around.before.end),
      text.slice(around.after.start, around.after.end),
    ];
  };

  it('takes everything when everything fits', () => {
    expect(show({ before: 500, after: 500 }).join('')).toBe(text);
  });

  it('starts at a paragraph where that costs little, else at a sentence', () => {
    expect(show({ before: 18, after: 0 })[0]).toBe('第二段开始了。这里是中间。光标在此');
    expect(show({ before: 12, after: 0 })[0]).toBe('这里是中间。光标在此');
  });

  it('ends behind a sentence', () => {
    expect(show({ before: 0, after: 8 })[1]).toBe('后面还有。\n\n');
  });

  it('cuts inside a sentence rather than give nothing', () => {
    expect(show({ before: 2, after: 2 })).toEqual(['在此', '后面']);
  });

  it('refuses a cursor that is no position', () => {
    expect(() => textAroundCursor(text, -1, { before: 1, after: 1 })).toThrowError(
      expect.objectContaining({ code: 'INVALID_ARGUMENT', details: { field: 'cursorPosition' } }),
    );
  });
});

describe('surrounding', () => {
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
