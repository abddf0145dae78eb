// Orders everything that could be shown by its worth for its price; the same input gives the same order.
import { byCodePoint } from '../../core/model/code-points.js';
import type { MeasuredPiece } from './measure-file.js';
import { measurePieces, type PieceQuestion } from './measure-pieces.js';
import { signalNames } from './piece-signals.js';
import { type PieceWeights, pieceWeights, priceExponent } from './piece-weights.js';
import { explain } from './why.js';

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
  const measured = await measurePieces(question);
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
