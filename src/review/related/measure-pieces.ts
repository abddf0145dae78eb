// Turns every piece that could be shown into a row of signals; only the files most worth it are opened.
import { changeQuery } from './change-query.js';
import { chooseFiles, manyFiles, type OpenLimit } from './choose-files.js';
import type { Corpus } from './corpus-port.js';
import { signalFiles } from './file-signals.js';
import { type Lexicon, wordId } from './lexicon.js';
import { type MeasuredPiece, measureFile, type OpenFile } from './measure-file.js';
import { column, type SignalName } from './piece-signals.js';
import { foremostPaths, type VisibleChange } from './visible-change.js';
import { wordTable } from './word-match.js';

export interface PieceQuestion {
  readonly change: VisibleChange;
  readonly corpus: Corpus;
  /** The lexicon the corpus makes its sheets with. */
  readonly lexicon: Lexicon;
  /** How much is opened beyond the change; many files unless told. */
  readonly opened?: OpenLimit | undefined;
}

export async function measurePieces({
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
    table: wordTable({ query, rarity: run.rarity, lexicon, sheets }),
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
