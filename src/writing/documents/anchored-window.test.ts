import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { anchoredWindow, type WindowAnchor } from './anchored-window.js';

const sentence = '他慢慢走过长桥。';
const text = Array.from(
  { length: 400 },
  (_, index) => `${index}${sentence}${index % 4 === 3 ? '\n\n' : ''}`,
).join('');

describe('the window on a long text', () => {
  it('is the largest window that fits at first, and keeps its start while it fits [prefix.friendly]', () => {
    const first = anchoredWindow(undefined, text, 1_500, { size: 1_000 });
    expect(first.moved).toBe('first');
    expect(first.end - first.start).toBeGreaterThan(950);
    const roomy = anchoredWindow(first.anchor, text, 1_900, { size: 1_000 });
    expect(roomy.moved).toBe('hopped');
    expect(roomy.end - roomy.start).toBeLessThanOrEqual(600);
    expect(roomy.end - roomy.start).toBeGreaterThan(450);
    const next = anchoredWindow(roomy.anchor, text, 2_200, { size: 1_000 });
    expect([next.moved, next.start]).toEqual(['stayed', roomy.start]);
  });

  it('takes everything when everything fits', () => {
    const back = anchoredWindow({ start: 700, surroundings: 'x' }, text, 900, { size: 1_000 });
    expect([back.start, back.end]).toEqual([0, 900]);
  });

  it('moves when text before the start changed, not when text behind it did', () => {
    const { anchor } = anchoredWindow(undefined, text, 2_000, { size: 1_000 });
    const behind = text.slice(0, 1_900) + text.slice(1_950);
    expect(anchoredWindow(anchor, behind, 1_950, { size: 1_000 }).moved).toBe('stayed');
    const before = `新的开头。${text}`;
    expect(anchoredWindow(anchor, before, 1_950, { size: 1_000 }).moved).toBe('re-anchored');
  });

  it('moves back with a cursor that left too little text before it', () => {
    const { anchor } = anchoredWindow(undefined, text, 3_000, { size: 1_000 });
    const back = anchoredWindow(anchor, text, anchor.start + 20, { size: 1_000 });
    expect(back.moved).toBe('back');
    expect(back.end - back.start).toBeGreaterThan(450);
  });

  it('never exceeds its size, hops at most once for each part of it that is written, and starts at a sentence', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 1, max: 60 }), { minLength: 5, maxLength: 40 }), (steps) => {
        let cursor = 1_100;
        let anchor: WindowAnchor | undefined;
        let hops = 0;
        for (const step of steps) {
          cursor += step;
          const window = anchoredWindow(anchor, text, cursor, { size: 500 });
          expect(window.end - window.start).toBeLessThanOrEqual(500);
          expect(text.slice(window.start - 1, window.start)).toMatch(/[。\n]/);
          if (window.moved === 'hopped') hops += 1;
          anchor = window.anchor;
        }
        expect(hops).toBeLessThanOrEqual(1 + (cursor - 1_100) / 200);
      }),
    );
  });
});
