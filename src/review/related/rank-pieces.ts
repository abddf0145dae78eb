// Orders everything that could be shown by its worth for its price; the same input gives the same order.
import { byCodePoint } from '../../core/model/code-points.js';
import { changeQuery, foremostPaths, type VisibleChange } from './change-query.js';
import type { Corpus } from './corpus.js';
import type { MeasuredPiece } from './file-pieces.js';
import {
  column,
  type FilePiece,
  measureFile,
  type OpenFile,
  type SignalName,
  signalNames,
} from './file-pieces.js';
import { chooseFiles, manyFiles, type OpenLimit, signalFiles } from './file-signals.js';
import { type Lexicon, wordId } from './lexicon.js';
import { makeWordTable } from './word-match.js';

export interface RankedPiece extends Omit<FilePiece, 'unit' | 'outer'> {
  /** That it matters, between 0 and 1. */
  readonly chance: number;
  /** The same for its price. */
  readonly score: number;
  readonly why: string;
}

const charactersPerToken = 4;
const overhead = 8;

export async function rankPieces(
  question: PieceQuestion,
  weights: PieceWeights = pieceWeights,
): Promise<RankedPiece[]> {
  const measured = await measureFilePieces(question);
  return measured
    .map((piece) => ({ piece, ...worthOf(piece, weights) }))
    .toSorted(
      (a, b) =>
        b.score - a.score || byCodePoint(a.piece.path, b.piece.path) || a.piece.startLine - b.piece.startLine,
    )
    .map(({ piece, chance, score }) => ({
      path: piece.path,
      startLine: piece.startLine,
      endLine: piece.endLine,
      place: piece.place,
      joinsPrevious: piece.joinsPrevious,
      chance,
      score,
      why: explain(piece),
    }));
}

/** The chance that the piece matters, and the same per token to the power learned with the weights. */
function worthOf(piece: MeasuredPiece, weights: PieceWeights): Pick<RankedPiece, 'chance' | 'score'> {
  let sum = 0;
  signalNames.forEach((name, index) => {
    const [near, far] = weights[name];
    sum += (piece.visible ? near : far) * piece.signals[index]!;
  });
  const chance = 1 / (1 + Math.exp(-sum));
  return { chance, score: chance / (piece.size / charactersPerToken + overhead) ** priceExponent };
}

const reasons: readonly (readonly [SignalName, string])[] = [
  ['stale', 'mentions a word the change removed'],
  ['defines', 'defines a word of the change'],
  ['mentions', 'mentions a changed symbol'],
  ['sameStem', 'counterpart of a changed file'],
  ['imported', 'imported by a changed file'],
  ['unitWords', 'shares rare words with the change'],
  ['lineWords', 'shares rare words with the change'],
  ['sharedFolders', 'close to a changed file'],
];

const adjacent = -Math.log1p(12);
const together = -Math.log1p(5);

/** One phrase that says why a piece is shown: the signal that spoke loudest for it. */
function explain(piece: MeasuredPiece): string {
  if (piece.visible && piece.signals[column.nearness]! >= adjacent) return 'next to the change';
  let best = piece.visible ? 'in a changed file' : 'close to a changed file';
  let loudest = 0.2;
  for (const [name, phrase] of reasons) {
    const [near, far] = pieceWeights[name];
    const voice = (piece.visible ? near : far) * piece.signals[column[name]]!;
    if (voice > loudest) {
      best = phrase;
      loudest = voice;
    }
  }
  if (!piece.visible && loudest < 0.6 && piece.signals[column.historyRank]! >= together) {
    return 'changed together with a changed file before';
  }
  return best;
}

const priceExponent = 0.75;

/** [near: pieces of changed files, far: pieces of all others] */
export type PieceWeights = Readonly<Record<SignalName, readonly [near: number, far: number]>>;

/** Learned by bench/quality/learn.ts, never edited by hand. */
const pieceWeights: PieceWeights = {
  any: [-3.78, -5.06],
  nearness: [0.32, 0],
  wordRank: [0.26, 0.37],
  unitWords: [1.34, 1.42],
  lineWords: [0.89, 1.58],
  historyRank: [0, 0.53],
  historyShare: [0.75, -0.01],
  sameStem: [0, 1.35],
  sharedFolders: [0, 0.58],
  imported: [0, 0.72],
  defines: [0, 1.1],
  mentions: [0.19, 0.41],
  stale: [0, 1.32],
  test: [-6.08, -4.57],
  aside: [-0.82, -2.16],
  fileLines: [-0.34, -0.5],
  comments: [-1.07, -0.9],
  lines: [0.6, 0.47],
  first: [-2.13, -1.53],
  depth: [-0.19, 0.11],
  named: [1.72, 2.24],
};

interface PieceQuestion {
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
