// Where every changed line went: onto a page, or into an omission. The difference to the whole change must be nothing.
import { isUnseen } from '../prune/involuntary.js';
import type { Omission } from '../prune/omission.js';
import type { Piece } from './piece.js';

export interface LineSum {
  readonly added: number;
  readonly removed: number;
}

export interface Accounting {
  readonly onPages: LineSum;
  readonly omitted: LineSum;
  /** Paths that could not be read or are in conflict: their lines are in neither sum. */
  readonly unseen: readonly string[];
  /** Pieces that read right but do not apply: shortened lines, bytes that are not UTF-8, unmerged paths. */
  readonly notApplicable: number;
  readonly windowedLines: number;
  readonly splitFiles: number;
}

export function accountFor(pieces: readonly Piece[], omitted: readonly Omission[]): Accounting {
  return {
    onPages: sumLines(pieces),
    omitted: sumLines(omitted),
    unseen: omitted.filter(isUnseen).map(({ path }) => path),
    notApplicable: pieces.filter(({ applicable }) => !applicable).length,
    windowedLines: pieces.reduce((sum, { windowedLines }) => sum + windowedLines, 0),
    splitFiles: new Set(pieces.filter(({ parts }) => parts > 1).map(({ path }) => path)).size,
  };
}

export function sumLines(list: readonly LineSum[]): LineSum {
  let added = 0;
  let removed = 0;
  for (const each of list) {
    added += each.added;
    removed += each.removed;
  }
  return { added, removed };
}
