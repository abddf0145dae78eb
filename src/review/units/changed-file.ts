// One changed file with both sides read and outlined: what units, rules and bundles work on.
import type { LineIndex } from '../../code/line-index.js';
import { compareOutlines, type SymbolChange } from '../../code/symbol-changes.js';
import type { Outline } from '../../code/syntax/outline-model.js';
import type { FilePatch } from '../../git/patch/patch.js';

export interface FileSide {
  readonly path: string;
  readonly blob: string;
  readonly text: string;
  /** Split at LF, without a last empty line. */
  readonly lines: readonly string[];
  readonly index: LineIndex;
  readonly outline: Outline;
}

export interface ChangedFile {
  readonly patch: FilePatch;
  /** Absent where the side does not exist, is no text, or is too large to read. */
  readonly before?: FileSide;
  readonly after?: FileSide;
  readonly symbolChanges: readonly SymbolChange[];
}

export function changedFile(
  patch: FilePatch,
  before: FileSide | undefined,
  after: FileSide | undefined,
): ChangedFile {
  const nothing = { symbols: [] };
  return {
    patch,
    ...(before === undefined ? {} : { before }),
    ...(after === undefined ? {} : { after }),
    symbolChanges: compareOutlines(before?.outline ?? nothing, after?.outline ?? nothing),
  };
}

export function linesOf(text: string): string[] {
  const lines = text.split('\n');
  if (lines.at(-1) === '') lines.pop();
  return lines;
}
