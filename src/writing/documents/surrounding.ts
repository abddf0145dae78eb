// N code points on each side of a selection, exactly: no more, no borders sought.
import { GalleyError } from '../../core/model/error.js';
import { cursorIn } from './cursor.js';
import { type IndexedText, indexText } from './indexed-text.js';
import type { TextRange } from './text-range.js';

export interface Surrounding {
  readonly before: TextRange;
  readonly selection: TextRange;
  readonly after: TextRange;
}

export function surrounding(text: string | IndexedText, selection: TextRange, n: number): Surrounding {
  const indexed = indexText(text);
  const start = cursorIn(indexed, selection.start, 'selection.start');
  const end = cursorIn(indexed, selection.end, 'selection.end');
  const reach = cursorReach(n);
  if (end < start) {
    throw new GalleyError('INVALID_ARGUMENT', 'selection.end must not lie before selection.start.', {
      details: { field: 'selection.end' },
    });
  }
  return {
    before: { start: Math.max(0, start - reach), end: start },
    selection: { start, end },
    after: { start: end, end: Math.min(indexed.length, end + reach) },
  };
}

function cursorReach(n: number): number {
  if (Number.isInteger(n) && n >= 0) return n;
  throw new GalleyError('INVALID_ARGUMENT', 'surrounding must be a whole number of code points, 0 or more.', {
    details: { field: 'surrounding' },
  });
}
