// A cursor counts code points. Editors may send one that is a little stale, so it is clamped to the text; nonsense is refused.
import { GalleyError } from '../../core/model/error.js';
import type { IndexedText } from './indexed-text.js';

export function cursorIn(indexed: IndexedText, cursor: number, field = 'cursorPosition'): number {
  if (!Number.isInteger(cursor) || cursor < 0) {
    throw new GalleyError('INVALID_ARGUMENT', `${field} must be a whole number of code points, 0 or more.`, {
      details: { field },
    });
  }
  return Math.min(cursor, indexed.length);
}
