import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { stickySelect } from '../context/shown-passages.js';

const ids = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h', 'i', 'j'];
const ranking = fc.shuffledSubarray(ids, { minLength: ids.length });

describe('the choice of passages that remembers the last one', () => {
  it('is exactly the best K in the order of their ids without a history [prefix.friendly]', () => {
    expect(stickySelect([], ['d', 'b', 'c', 'a'], { keep: 3 }).ids).toEqual(['b', 'c', 'd']);
  });

  it('keeps what was shown in its place while it ranks within the slack, and appends what is new', () => {
    const next = stickySelect(['c', 'a'], ['x', 'a', 'y', 'c'], { keep: 3, slack: 2 });
    expect(next.ids).toEqual(['c', 'a', 'x']);
    expect(next.stayed).toBe(2);
  });

  it('lets go of what fell below the slack or is gone', () => {
    expect(stickySelect(['c', 'gone'], ['x', 'y', 'z', 'c'], { keep: 2, slack: 1 }).ids).toEqual(['x', 'y']);
  });

  it('never hides the best half, never exceeds K, and shows nothing below K + slack', () => {
    fc.assert(
      fc.property(
        ranking,
        ranking,
        fc.integer({ min: 0, max: 8 }),
        fc.integer({ min: 0, max: 4 }),
        (old, fresh, keep, slack) => {
          const shown = stickySelect([], old, { keep, slack }).ids;
          const { ids: next, stayed } = stickySelect(shown, fresh, { keep, slack });
          expect(next).toHaveLength(Math.min(keep, ids.length));
          expect(new Set(next).size).toBe(next.length);
          for (const best of fresh.slice(0, Math.ceil(keep / 2))) expect(next).toContain(best);
          for (const id of next) expect(fresh.indexOf(id)).toBeLessThan(keep + slack);
          expect(next.slice(0, stayed)).toEqual(shown.filter((id) => next.slice(0, stayed).includes(id)));
        },
      ),
    );
  });

  it('names a selection by content and order', () => {
    const digest = (list: string[]) => stickySelect(list, list, { keep: 2 }).digest((text) => text);
    expect(digest(['a', 'b'])).not.toBe(digest(['b', 'a']));
  });
});
