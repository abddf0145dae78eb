// The signals of the pieces of one opened file, before they are set in proportion to all others.
import type { FileSheet } from './file-sheet.js';
import type { FileSignals } from './file-signals.js';
import { column, type SignalName, signalNames } from './piece-signals.js';
import { type Piece, piecesOf } from './pieces.js';
import { shownRange, type VisibleHunk } from './visible-change.js';
import { matchLines, matchRange, type WordTable } from './word-match.js';

export interface MeasuredPiece extends Piece {
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

export interface MeasureContext {
  readonly table: WordTable;
  /** Rarity of the words of the change, as shares of the highest. */
  readonly rarity: ReadonlyMap<string, number>;
  /** Word numbers of the symbols the change stands in. */
  readonly changed: ReadonlySet<number>;
}

const typicalPiece = 45;
const typicalUnit = 120;

export function measureFile(open: OpenFile, context: MeasureContext): MeasuredPiece[] {
  const { file, sheet, hunks } = open;
  const pieces = piecesOf(file.path, sheet, hunks);
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

function scoreUnits(pieces: readonly Piece[], sheet: FileSheet, table: WordTable): Map<number, number> {
  const scores = new Map<number, number>();
  for (const { unit } of pieces) {
    const symbol = sheet.symbols[unit];
    if (symbol === undefined || scores.has(unit)) continue;
    scores.set(unit, matchRange(sheet, table, { ...symbol, typicalWords: typicalUnit }).score);
  }
  return scores;
}

function distance(piece: Piece, hunks: readonly VisibleHunk[]): number {
  let nearest = Number.POSITIVE_INFINITY;
  for (const hunk of hunks) {
    const { first, last } = shownRange(hunk);
    const away = piece.startLine > last ? piece.startLine - last - 1 : first - piece.endLine - 1;
    nearest = Math.min(nearest, Math.max(0, away));
  }
  return nearest;
}

function definesWord(piece: Piece, sheet: FileSheet, rarity: ReadonlyMap<string, number>): number {
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
