// What of an opened file can be shown: its segments without the lines the reader has already, each as a row of signals.

import { shownRange, type VisibleHunk } from './change-query.js';
import type { FileSheet } from './corpus.js';
import type { FileSignals } from './file-signals.js';
import type { OutlineSymbol } from './segment-file.js';
import { matchLines, matchRange, type WordTable } from './word-match.js';

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

function filePieces(path: string, sheet: FileSheet, hunks: readonly VisibleHunk[]): FilePiece[] {
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

export interface MeasuredPiece extends FilePiece {
  readonly visible: boolean;
  /** Code points of the text. */
  readonly size: number;
  readonly signals: Float64Array;
}

export interface OpenFile {
  readonly file: FileSignals;
  readonly sheet: FileSheet;
  readonly hunks: readonly VisibleHunk[];
}

interface MeasureContext {
  readonly table: WordTable;
  /** Rarity of the words of the change, as shares of the highest. */
  readonly rarity: ReadonlyMap<string, number>;
  /** Word numbers of the symbols the change stands in. */
  readonly changed: ReadonlySet<number>;
}

const typicalPiece = 45;

const typicalUnit = 120;

/** The signals of the pieces of one opened file, before they are set in proportion to all others. */
export function measureFile(open: OpenFile, context: MeasureContext): MeasuredPiece[] {
  const { file, sheet, hunks } = open;
  const pieces = filePieces(file.path, sheet, hunks);
  const units = scoreUnits(pieces, sheet, context.table);
  const lineScores = matchLines(sheet, context.table);
  const mentions = mentionLines(sheet, context.changed);
  return pieces.map((piece) => {
    const match = matchRange(sheet, context.table, { ...piece, typicalWords: typicalPiece });
    const signals = new Float64Array(signalNames.length);
    const set = (name: SignalName, value: number): void => {
      signals[column[name]] = value;
    };
    let size = 0;
    let best = 0;
    let mentioned = 0;
    let comments = 0;
    for (let line = piece.startLine; line <= piece.endLine; line += 1) {
      size += sheet.lineSizes[line - 1]!;
      best = Math.max(best, lineScores[line - 1]!);
      mentioned += mentions[line - 1]!;
      comments += sheet.comments[line - 1]!;
    }
    const lines = piece.endLine - piece.startLine + 1;
    set('any', 1);
    set('nearness', hunks.length === 0 ? 0 : -Math.log1p(distance(piece, hunks)));
    set('wordRank', match.score);
    set('unitWords', units.get(piece.unit) ?? match.score);
    set('lineWords', best);
    set('historyRank', file.history);
    set('historyShare', file.historyShare);
    set('sameStem', Number(file.sameStem));
    set('sharedFolders', file.sharedFolders);
    set('imported', Number(file.imported));
    set('defines', definesWord(piece, sheet, context.rarity));
    set('mentions', Math.log1p(mentioned));
    set('stale', match.stale);
    set('test', Number(file.test));
    set('aside', Number(file.aside));
    set('fileLines', Math.log1p(sheet.lineCount));
    set('comments', comments / lines);
    set('lines', Math.log(lines));
    set('first', Number(piece.place === 0));
    set('depth', piece.startLine / sheet.lineCount);
    set('named', Number(piece.unit >= 0 || piece.outer >= 0));
    return { ...piece, visible: hunks.length > 0, size, signals };
  });
}

function scoreUnits(pieces: readonly FilePiece[], sheet: FileSheet, table: WordTable): Map<number, number> {
  const scores = new Map<number, number>();
  for (const { unit } of pieces) {
    const symbol = sheet.symbols[unit];
    if (symbol === undefined || scores.has(unit)) continue;
    scores.set(unit, matchRange(sheet, table, { ...symbol, typicalWords: typicalUnit }).score);
  }
  return scores;
}

function distance(piece: FilePiece, hunks: readonly VisibleHunk[]): number {
  let nearest = Number.POSITIVE_INFINITY;
  for (const hunk of hunks) {
    const { first, last } = shownRange(hunk);
    const away = piece.startLine > last ? piece.startLine - last - 1 : first - piece.endLine - 1;
    nearest = Math.min(nearest, Math.max(0, away));
  }
  return nearest;
}

function definesWord(piece: FilePiece, sheet: FileSheet, rarity: ReadonlyMap<string, number>): number {
  let highest = 0;
  for (const symbol of sheet.symbols) {
    if (symbol.startLine < piece.startLine || symbol.startLine > piece.endLine) continue;
    highest = Math.max(highest, rarity.get(symbol.name) ?? 0);
  }
  return highest;
}

function mentionLines(sheet: FileSheet, changed: ReadonlySet<number>): Uint8Array {
  const lines = new Uint8Array(sheet.lineCount);
  for (let index = 0; index < sheet.words.length; index += 1) {
    if (changed.has(sheet.words[index]!)) lines[sheet.wordLines[index]! - 1] = 1;
  }
  return lines;
}

/** Each signal is free of the repository's size. */
export const signalNames = [
  /** Always 1: how likely a piece matters before anything is known of it. */
  'any',
  /** In a changed file, minus the logarithm of the distance to the nearest hunk. */
  'nearness',
  /** Words of the change: place of the piece among all, share in the symbol around it and on its best line. */
  'wordRank',
  'unitWords',
  'lineWords',
  /** Place of its file among those that changed together with the visible ones before. */
  'historyRank',
  /** Share of the earlier commits of the visible files that touched its file too. */
  'historyShare',
  'sameStem',
  'sharedFolders',
  'imported',
  /** Defines a word of the change; mentions a changed symbol; mentions a word the change removed. */
  'defines',
  'mentions',
  'stale',
  'test',
  'aside',
  /** Size of its file; how much of it is comment; its length; whether it opens its file; how far down it stands. */
  'fileLines',
  'comments',
  'lines',
  'first',
  'depth',
  'named',
] as const;

export type SignalName = (typeof signalNames)[number];

export const column = Object.fromEntries(signalNames.map((name, index) => [name, index])) as Readonly<
  Record<SignalName, number>
>;
