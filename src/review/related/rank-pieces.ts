// Orders everything that could be shown by its worth for its price; the same input gives the same order.
import { byCodePoint } from '../../core/model/code-point-order.js';
import {
  column,
  type MeasuredPiece,
  measureFilePieces,
  type PieceQuestion,
  type SignalName,
  signalNames,
} from './measure-pieces.js';

export interface RankedPiece {
  readonly path: string;
  readonly startLine: number;
  readonly endLine: number;
  /** Its number within the file, top to bottom. */
  readonly place: number;
  /** Nothing but a few unseen lines lies between this piece and the one above. */
  readonly joinsPrevious: boolean;
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

// One phrase that says why a piece is shown: the signal that spoke loudest for it.
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

// How much each signal says, in a changed file and elsewhere; learned by bench/quality/learn.ts, never edited by hand.
const priceExponent = 0.75;

/** [near: pieces of changed files, far: pieces of all others] */
export type PieceWeights = Readonly<Record<SignalName, readonly [near: number, far: number]>>;

const pieceWeights: PieceWeights = {
  any: [-3.04, -5.71],
  nearness: [0.42, 0],
  wordRank: [0.44, 0.5],
  unitWords: [0.61, 1.44],
  lineWords: [0, 1.12],
  historyRank: [0, 0.42],
  sameStem: [0, 0.79],
  sharedFolders: [0, 0.92],
  imported: [0, 0.83],
  defines: [0, 1.67],
  mentions: [0.11, 0.3],
  stale: [0, 1.34],
  test: [-4.2, -3.9],
  named: [1.53, 1.39],
};
