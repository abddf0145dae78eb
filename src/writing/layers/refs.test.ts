import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { formatRef, isProjectRelative } from '../../core/model/fragment.js';
import { documentRef, lineRangeOf, rowRef } from './refs.js';

describe('refs of a skill run', () => {
  it('are relative to the project whatever the ids look like [skill.refs]', () => {
    const anything = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.constantFrom('..', '/', 'C:\\a', '../x', '.galley/../../x', '.galley/a/../../../b'),
    );
    fc.assert(
      fc.property(anything, (id) => {
        for (const { path } of [rowRef('memory', id), documentRef(id)]) {
          expect(isProjectRelative(path)).toBe(true);
          expect(path).not.toMatch(/^[A-Za-z]:/);
        }
      }),
    );
  });

  it('name the file and line a row was made from, and shorten generated ids', () => {
    expect(formatRef(rowRef('constraints', '.galley/constraints.md#3c36caddba35', 4))).toBe(
      'ref:.galley/constraints.md#L4-L4',
    );
    expect(formatRef(rowRef('entities', '.writenow/characters/zhangsan.md'))).toBe(
      'ref:.writenow/characters/zhangsan.md',
    );
    expect(formatRef(rowRef('memory', '25342846-a2a0-47d2-894e-f80b6229abee'))).toBe('ref:memory/25342846');
    expect(formatRef(rowRef('entities', '林远'))).toBe('ref:entities/林远');
  });

  it('count lines from one, and a line break with the line it ends', () => {
    const text = 'a\nbc\n\nd';
    expect(lineRangeOf(text, 0, 1)).toEqual({ start: 1, end: 1 });
    expect(lineRangeOf(text, 0, 2)).toEqual({ start: 1, end: 1 });
    expect(lineRangeOf(text, 2, 6)).toEqual({ start: 2, end: 3 });
    expect(lineRangeOf(text, 6, 7)).toEqual({ start: 4, end: 4 });
    expect(lineRangeOf(text, 7, 7)).toEqual({ start: 4, end: 4 });
  });
});
