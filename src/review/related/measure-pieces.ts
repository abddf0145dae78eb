// Turns every piece that could be shown into a row of signals; the weights that join them are learned elsewhere.
import { changeQuery } from './change-query.js';
import { chooseFiles } from './choose-files.js';
import type { Corpus } from './corpus-port.js';
import { type FileSheet, fingerprint } from './file-sheet.js';
import { type FileSignals, signalFiles } from './file-signals.js';
import { identifiersOf, type Lexicon, wordId } from './lexicon.js';
import { innermost, outermost, type Piece, piecesOf } from './pieces.js';
import { resolveImport } from './resolve-import.js';
import { shownRange, type VisibleChange, type VisibleHunk } from './visible-change.js';
import { matchGroups, matchLines, wordTable } from './word-match.js';

export const signalNames = [
  'one', 'nearness', 'sameUnit', 'sameOuter', 'pieceWords', 'unitWords', 'fileWords', 'pieceRank', 'fileRank', 'history', 'historyRank', 'active',
  'sameFolder', 'sameStem', 'sharedFolders', 'imported', 'importer', 'defines', 'mentions', 'stale', 'twin', 'bestLine', 'test', 'named', 'size', 'unitSize', 'hunks', 'bestInFile', 'unitName', 'visibleTests',
] as const;

export type SignalName = (typeof signalNames)[number];

export interface MeasuredPiece extends Piece {
  readonly visible: boolean;
  /** Code points of the text. */
  readonly size: number;
  readonly signals: Float64Array;
}

interface OpenFile {
  readonly file: FileSignals;
  readonly sheet: FileSheet;
  readonly hunks: readonly VisibleHunk[];
  readonly pieces: readonly Piece[];
}

const averagePiece = 45;
const averageUnit = 120;
const averageFile = 1200;
const column = Object.fromEntries(signalNames.map((name, index) => [name, index])) as Record<SignalName, number>;

export async function measurePieces(
  change: VisibleChange,
  corpus: Corpus,
  lexicon: Lexicon,
): Promise<MeasuredPiece[]> {
  const visible = new Set(change.hunks.map((hunk) => hunk.path));
  const visibleSheets = await corpus.sheets([...visible].toSorted());
  const query = changeQuery(change);
  const run = await signalFiles({ corpus, query, visible, visibleSheets });
  const chosen = chooseFiles(run.files);
  const sheets = await corpus.sheets(chosen.map((file) => file.path));
  const table = wordTable({ query, rarity: run.rarity, lexicon, sheets });
  const open: OpenFile[] = [];
  for (const file of chosen) {
    const sheet = sheets.get(file.path);
    if (sheet === undefined) continue;
    const hunks = change.hunks.filter((hunk) => hunk.path === file.path);
    open.push({ file, sheet, hunks, pieces: piecesOf(file.path, sheet, hunks) });
  }
  const changed = changedNames(open);
  const changedIds = new Set([...changed].map((name) => wordId(lexicon, name)));
  const queryRarity = new Map(query.map((entry) => [entry.word, run.rarity.get(entry.word) ?? 0]));
  const highestRarity = Math.max(1e-9, ...queryRarity.values());
  const twins = changedPrints(change);
  const measured: MeasuredPiece[] = [];
  const visibleTests = open.filter((one) => one.hunks.length > 0 && one.file.test).length / Math.max(1, visible.size);
  for (const { file, sheet, hunks, pieces } of open) {
    const groupOf = new Int32Array(sheet.lineCount).fill(-1);
    pieces.forEach((piece, index) => {
      for (let line = piece.startLine; line <= piece.endLine; line += 1) groupOf[line - 1] = index;
    });
    const pieceMatch = matchGroups(sheet, table, { groupOf, groups: pieces.length, averageWords: averagePiece });
    const units = [...new Set(pieces.map((piece) => piece.unit).filter((unit) => unit >= 0))];
    const unitScore = new Map<number, number>();
    for (const unit of units) {
      const symbol = sheet.symbols[unit]!;
      const only = new Int32Array(sheet.lineCount).fill(-1).fill(0, symbol.startLine - 1, symbol.endLine);
      unitScore.set(unit, matchGroups(sheet, table, { groupOf: only, groups: 1, averageWords: averageUnit }).scores[0]!);
    }
    const whole = new Int32Array(sheet.lineCount);
    const fileScore = matchGroups(sheet, table, { groupOf: whole, groups: 1, averageWords: averageFile }).scores[0]!;
    const lineScore = matchLines(sheet, table);
    const importer = sheet.imports.some((specifier) => visible.has(resolveImport(file.path, specifier, run.pathSet) ?? ''));
    const touchedUnits = new Set<number>();
    const touchedOuters = new Set<number>();
    for (const hunk of hunks) {
      const middle = hunk.newStart + (hunk.newLines.length >> 1);
      touchedUnits.add(innermost(sheet.symbols, middle));
      touchedOuters.add(outermost(sheet.symbols, middle));
      touchedUnits.add(innermost(sheet.symbols, hunk.newStart));
      touchedOuters.add(outermost(sheet.symbols, hunk.newStart));
    }
    touchedUnits.delete(-1);
    touchedOuters.delete(-1);
    pieces.forEach((piece, index) => {
      const signals = new Float64Array(signalNames.length);
      const set = (name: SignalName, value: number): void => {
        signals[column[name]] = value;
      };
      let size = 0;
      let bestLine = 0;
      let twin = 0;
      for (let line = piece.startLine; line <= piece.endLine; line += 1) {
        size += sheet.lineSizes[line - 1]!;
        bestLine = Math.max(bestLine, lineScore[line - 1]!);
        if (twins.has(sheet.linePrints[line - 1]!)) twin += 1;
      }
      let defines = 0;
      let ownName = 0;
      for (const symbol of sheet.symbols) {
        if (symbol.startLine < piece.startLine || symbol.startLine > piece.endLine) continue;
        defines = Math.max(defines, queryRarity.get(symbol.name) ?? 0);
        if (changed.has(symbol.name)) ownName = 1;
      }
      const unit = piece.unit >= 0 ? sheet.symbols[piece.unit]! : undefined;
      const distance = hunks.length === 0 ? 0 : gap(piece, hunks);
      set('one', 1);
      set('nearness', hunks.length === 0 ? 0 : -Math.log1p(distance));
      set('sameUnit', Number(touchedUnits.has(piece.unit)));
      set('sameOuter', Number(touchedOuters.has(piece.outer)));
      set('pieceWords', pieceMatch.scores[index]!);
      set('unitWords', unitScore.get(piece.unit) ?? pieceMatch.scores[index]!);
      set('fileWords', fileScore);
      set('history', file.history);
      set('active', file.active);
      set('sameFolder', Number(file.sameFolder));
      set('sameStem', Number(file.sameStem));
      set('sharedFolders', file.sharedFolders);
      set('imported', Number(file.imported));
      set('importer', Number(importer));
      set('defines', defines / highestRarity);
      set('unitName', unit !== undefined && changed.has(unit.name) ? 1 : ownName);
      set('stale', pieceMatch.stale[index]!);
      set('twin', Math.log1p(twin));
      set('bestLine', bestLine);
      set('test', Number(file.test));
      set('named', Number(unit !== undefined || piece.outer >= 0));
      set('size', Math.log(size / 4 + 8));
      set('unitSize', unit === undefined ? 0 : Math.log(unit.endLine - unit.startLine + 1));
      set('hunks', Math.log1p(hunks.length));
      set('visibleTests', visibleTests);
      measured.push({ ...piece, visible: hunks.length > 0, size, signals });
    });
    mention(measured.slice(measured.length - pieces.length), sheet, changedIds);
  }
  normalise(measured);
  return measured;
}

function gap(piece: Piece, hunks: readonly VisibleHunk[]): number {
  let nearest = Number.POSITIVE_INFINITY;
  for (const hunk of hunks) {
    const { first, last } = shownRange(hunk);
    const distance = piece.startLine > last ? piece.startLine - last - 1 : first - piece.endLine - 1;
    nearest = Math.min(nearest, Math.max(0, distance));
  }
  return nearest;
}

/** Names of the symbols a hunk stands in. */
function changedNames(open: readonly OpenFile[]): Set<string> {
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
  return names;
}

function changedPrints(change: VisibleChange): Set<number> {
  const prints = new Set<number>();
  for (const hunk of change.hunks) {
    for (const line of hunk.oldLines) if (line.trim().length > 8 && identifiersOf(line).length > 0) prints.add(fingerprint(line));
  }
  return prints;
}

function mention(pieces: readonly MeasuredPiece[], sheet: FileSheet, ids: ReadonlySet<number>): void {
  const hit = new Set<number>();
  for (let index = 0; index < sheet.words.length; index += 1) {
    if (ids.has(sheet.words[index]!)) hit.add(sheet.wordLines[index]!);
  }
  if (hit.size === 0) return;
  for (const piece of pieces) {
    let lines = 0;
    for (let line = piece.startLine; line <= piece.endLine; line += 1) if (hit.has(line)) lines += 1;
    piece.signals[column.mentions] = Math.log1p(lines);
  }
}

/** Word scores become shares of the best one, and ranks; both are free of the repository's scale. */
function normalise(pieces: readonly MeasuredPiece[]): void {
  for (const name of ['pieceWords', 'unitWords', 'fileWords', 'stale', 'bestLine'] as const) {
    let highest = 1e-9;
    for (const piece of pieces) highest = Math.max(highest, piece.signals[column[name]]!);
    for (const piece of pieces) piece.signals[column[name]]! /= highest;
  }
  rankInto(pieces, 'pieceWords', 'pieceRank');
  rankInto(pieces, 'fileWords', 'fileRank');
  rankInto(pieces, 'history', 'historyRank');
  const bestOf = new Map<string, number>();
  for (const piece of pieces) bestOf.set(piece.path, Math.max(bestOf.get(piece.path) ?? 0, piece.signals[column.pieceWords]!));
  for (const piece of pieces) {
    const highest = bestOf.get(piece.path)!;
    piece.signals[column.bestInFile] = highest === 0 ? 0 : piece.signals[column.pieceWords]! / highest;
  }
}

function rankInto(pieces: readonly MeasuredPiece[], from: SignalName, to: SignalName): void {
  const values = [...new Set(pieces.map((piece) => piece.signals[column[from]]!))].toSorted((a, b) => b - a);
  const rank = new Map(values.map((value, index) => [value, index]));
  for (const piece of pieces) {
    const value = piece.signals[column[from]]!;
    piece.signals[column[to]] = value === 0 ? -Math.log(values.length + 1) : -Math.log1p(rank.get(value)!);
  }
}
