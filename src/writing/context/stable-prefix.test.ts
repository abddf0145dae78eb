import { describe, expect, it } from 'vitest';
import { type PrefixLine, prefixChange } from './prompt-history.js';

const lines = (...words: string[]): PrefixLine[] => words.map((word) => [word.slice(0, 1), word]);

describe('the first difference between two prefixes', () => {
  it.each([
    [['a1', 'b1'], ['a1', 'b1'], undefined],
    [['a1'], ['a1', 'b1'], { fragment: 'b', reason: 'added' }],
    [['a1', 'c1'], ['a1', 'b1', 'c1'], { fragment: 'b', reason: 'added' }],
    [['a1', 'b1'], ['a1'], { fragment: 'b', reason: 'removed' }],
    [['a1', 'b1'], ['b2'], { fragment: 'a', reason: 'removed' }],
    [['a1', 'b1'], ['a2', 'b1'], { fragment: 'a', reason: 'changed' }],
    [['a1', 'b1'], ['b1', 'a1'], { fragment: 'b', reason: 'moved' }],
  ])('%j -> %j', (before, after, change) => {
    expect(prefixChange(lines(...before), lines(...after))).toEqual(change);
  });
});
