// What can be shown: the segments of the opened files without the lines the reader has already.

import { shownRange, type VisibleHunk } from './change-query.js';
import type { FileSheet } from './corpus.js';
import type { OutlineSymbol } from './segment-file.js';

export interface FilePiece {
  readonly path: string;
  readonly startLine: number;
  readonly endLine: number;
  /** Innermost symbol of at least three lines around the middle of the piece, by index, or -1. */
  readonly unit: number;
  /** Outermost symbol around it, or -1. */
  readonly outer: number;
  /** Its number within the file, top to bottom. */
  readonly place: number;
  /** Nothing but a few unseen lines lies between this piece and the one above. */
  readonly joinsPrevious: boolean;
}

const widestJoin = 2;

const smallestUnit = 3;

export function filePieces(path: string, sheet: FileSheet, hunks: readonly VisibleHunk[]): FilePiece[] {
  const shown = new Uint8Array(sheet.lineCount + 2);
  for (const hunk of hunks) {
    const { first, last } = shownRange(hunk);
    for (let line = Math.max(1, first); line <= Math.min(sheet.lineCount, last); line += 1) shown[line] = 1;
  }
  const pieces: FilePiece[] = [];
  for (const segment of sheet.segments) {
    let start = 0;
    for (let line = segment.startLine; line <= segment.endLine + 1; line += 1) {
      const open = line <= segment.endLine && shown[line] === 0;
      if (open && start === 0) start = line;
      if (!open && start !== 0) {
        const trimmed = withWords(sheet, start, line - 1);
        if (trimmed !== undefined) {
          const joinsPrevious = joins(pieces.at(-1), trimmed.start, shown);
          pieces.push({ ...locate(path, sheet, trimmed), place: pieces.length, joinsPrevious });
        }
        start = 0;
      }
    }
  }
  return pieces;
}

/** Leading and trailing lines without a word are left out; closing braces stay when they are few. */
function withWords(sheet: FileSheet, start: number, end: number): { start: number; end: number } | undefined {
  let first = start;
  while (first <= end && sheet.linePrints[first - 1] === 0) first += 1;
  if (first > end) return undefined;
  let last = end;
  while (last > first && sheet.linePrints[last - 1] === 0 && sheet.lineSizes[last - 1] === 1) last -= 1;
  return { start: first, end: last };
}

function joins(previous: FilePiece | undefined, start: number, shown: Uint8Array): boolean {
  if (previous === undefined || start - previous.endLine - 1 > widestJoin) return false;
  for (let line = previous.endLine + 1; line < start; line += 1) if (shown[line] === 1) return false;
  return true;
}

function locate(path: string, sheet: FileSheet, range: { start: number; end: number }) {
  const middle = (range.start + range.end) >> 1;
  return {
    path,
    startLine: range.start,
    endLine: range.end,
    unit: innermost(sheet.symbols, middle),
    outer: outermost(sheet.symbols, middle),
  };
}

export function innermost(symbols: readonly OutlineSymbol[], line: number): number {
  let found = -1;
  symbols.forEach((symbol, index) => {
    if (symbol.startLine > line || symbol.endLine < line) return;
    if (symbol.endLine - symbol.startLine + 1 < smallestUnit) return;
    if (found < 0 || size(symbol) <= size(symbols[found]!)) found = index;
  });
  return found;
}

export function outermost(symbols: readonly OutlineSymbol[], line: number): number {
  let found = -1;
  symbols.forEach((symbol, index) => {
    if (symbol.startLine > line || symbol.endLine < line) return;
    if (found < 0 || size(symbol) > size(symbols[found]!)) found = index;
  });
  return found;
}

function size(symbol: OutlineSymbol): number {
  return symbol.endLine - symbol.startLine;
}
