// Turns ascending ends in code units into neighbouring ranges in code points.
import type { IndexedText } from './indexed-text.js';
import type { TextRange } from './text-range.js';

export function tile(indexed: IndexedText, from: number, ends: readonly number[]): TextRange[] {
  let start = indexed.positionAt(from);
  return ends.map((unit) => {
    const range = { start, end: indexed.positionAt(unit) };
    start = range.end;
    return range;
  });
}
