// Turns every piece that could be shown into a row of signals; only the files most worth it are opened.
import {
  changeQuery,
  foremostPaths,
  shownRange,
  type VisibleChange,
  type VisibleHunk,
} from './change-query.js';
import type { Corpus, FileSheet } from './corpus.js';
import { chooseFiles, type FileSignals, manyFiles, type OpenLimit, signalFiles } from './file-signals.js';
import { type Lexicon, wordId } from './lexicon.js';
import { type FilePiece, filePieces } from './pieces.js';
import { makeWordTable, matchLines, matchRange, type WordTable } from './word-match.js';

export interface PieceQuestion {
  readonly change: VisibleChange;
  readonly corpus: Corpus;
  /** The lexicon the corpus makes its sheets with. */
  readonly lexicon: Lexicon;
  /** How much is opened beyond the change; many files unless told. */
  readonly opened?: OpenLimit | undefined;
}

export async function measureFilePieces({
  change,
  corpus,
  lexicon,
  opened = manyFiles,
}: PieceQuestion): Promise<MeasuredPiece[]> {
  const visible = new Set(change.hunks.map((hunk) => hunk.path));
  const foremost = foremostPaths(change);
  const query = changeQuery(change);
  const run = await signalFiles({ corpus, query, visible, foremost });
  const chosen = chooseFiles(run.files, new Set(foremost), {
    limit: opened,
    sizeOf: (path) => corpus.sizeOf(path),
  });
  const sheets = await corpus.sheets(chosen.map((file) => file.path));
  const open: OpenFile[] = [];
  for (const file of chosen) {
    const sheet = sheets.get(file.path);
    if (sheet === undefined) continue;
    open.push({ file, sheet, hunks: change.hunks.filter((hunk) => hunk.path === file.path) });
  }
  const highest = Math.max(1e-9, ...run.rarity.values());
  const context = {
    table: makeWordTable({ query, rarity: run.rarity, lexicon, sheets }),
    rarity: new Map([...run.rarity].map(([word, rare]) => [word, rare / highest])),
    changed: new Set(changedNames(open).map((name) => wordId(lexicon, name))),
  };
  const measured = open.flatMap((one) => measureFile(one, context));
  for (const name of ['unitWords', 'lineWords', 'stale'] as const) shareOfBest(measured, name);
  for (const name of ['wordRank', 'historyRank'] as const) toPlaces(measured, name);
  return measured;
}

/** Names of the symbols a hunk stands in. */
function changedNames(open: readonly OpenFile[]): string[] {
  const names = new Set<string>();
  for (const { sheet, hunks } of open) {
    for (const hunk of hunks) {
      const end = hunk.newStart + Math.max(0, hunk.newLines.length - 1);
      for (const symbol of sheet.symbols) {
        const inside = symbol.startLine <= end && symbol.endLine >= hunk.newStart;
        if (inside && /^[\w$]{3,}$/u.test(symbol.name)) names.add(symbol.name);
      }
    }
  }
  return [...names];
}

function shareOfBest(pieces: readonly MeasuredPiece[], name: SignalName): void {
  let highest = 1e-9;
  for (const piece of pieces) highest = Math.max(highest, piece.signals[column[name]]!);
  for (const piece of pieces) piece.signals[column[name]]! /= highest;
}

/** Minus the logarithm of the place in the order of a signal; equal values share a place, no value comes last. */
function toPlaces(pieces: readonly MeasuredPiece[], name: SignalName): void {
  const values = [...new Set(pieces.map((piece) => piece.signals[column[name]]!))].toSorted((a, b) => b - a);
  const place = new Map(values.map((value, index) => [value, index]));
  for (const piece of pieces) {
    const value = piece.signals[column[name]]!;
    piece.signals[column[name]] = value === 0 ? -Math.log(values.length + 1) : -Math.log1p(place.get(value)!);
  }
}

// The signals of the pieces of one opened file, before they are set in proportion to all others.
export interface MeasuredPiece extends FilePiece {
  readonly visible: boolean;
  /** Code points of the text. */
  readonly size: number;
  readonly signals: Float64Array;
}

interface OpenFile {
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

function measureFile(open: OpenFile, context: MeasureContext): MeasuredPiece[] {
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
    for (let line = piece.startLine; line <= piece.endLine; line += 1) {
      size += sheet.lineSizes[line - 1]!;
      best = Math.max(best, lineScores[line - 1]!);
      mentioned += mentions[line - 1]!;
    }
    set('any', 1);
    set('nearness', hunks.length === 0 ? 0 : -Math.log1p(distance(piece, hunks)));
    set('wordRank', match.score);
    set('unitWords', units.get(piece.unit) ?? match.score);
    set('lineWords', best);
    set('historyRank', file.history);
    set('sameStem', Number(file.sameStem));
    set('sharedFolders', file.sharedFolders);
    set('imported', Number(file.imported));
    set('defines', definesWord(piece, sheet, context.rarity));
    set('mentions', Math.log1p(mentioned));
    set('stale', match.stale);
    set('test', Number(file.test));
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

// What is measured of every piece that could be shown; each signal is free of the repository's size.
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
  'sameStem',
  'sharedFolders',
  'imported',
  /** Defines a word of the change; mentions a changed symbol; mentions a word the change removed. */
  'defines',
  'mentions',
  'stale',
  'test',
  'named',
] as const;

export type SignalName = (typeof signalNames)[number];

export const column = Object.fromEntries(signalNames.map((name, index) => [name, index])) as Readonly<
  Record<SignalName, number>
>;
