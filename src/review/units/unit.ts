// The smallest thing that is planned and reviewed: the changed lines of one symbol, or of what stands outside all symbols.

import type { LineRange } from '../../code/range-evidence.js';
import type { CodeSymbol } from '../../code/syntax/outline-model.js';
import type { ChangedFile, FileSide } from './changed-file.js';
import type { ChangedLine } from './changed-line.js';

export type PatchType = 'add' | 'modify' | 'delete' | 'rename';

export interface ReviewUnit {
  /** Follows from path, symbols and changed lines; edits elsewhere leave it as it is. */
  readonly id: string;
  readonly path: string;
  readonly file: ChangedFile;
  readonly patchType: PatchType;
  readonly place: 'symbol' | 'imports' | 'top-level' | 'file';
  /** Names of the enclosing symbols, outermost first. */
  readonly chain: readonly string[];
  readonly symbol?: CodeSymbol;
  readonly oldSymbol?: CodeSymbol;
  readonly lines: readonly ChangedLine[];
  readonly added: readonly LineRange[];
  readonly removed: readonly LineRange[];
  readonly hunkCount: number;
}

/** Where the unit stands now; for what is gone, where it stood. */
export function unitSide(
  unit: ReviewUnit,
): { readonly name: 'old' | 'new'; readonly side: FileSide } | undefined {
  const { before, after } = unit.file;
  const gone = unit.symbol === undefined && unit.oldSymbol !== undefined;
  if (after !== undefined && !gone) return { name: 'new', side: after };
  return before === undefined ? undefined : { name: 'old', side: before };
}

export function addedCount(unit: ReviewUnit): number {
  return unit.lines.filter(({ kind }) => kind === 'added').length;
}

export function removedCount(unit: ReviewUnit): number {
  return unit.lines.length - addedCount(unit);
}
