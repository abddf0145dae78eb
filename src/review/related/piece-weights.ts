// How much each signal says, in a changed file and elsewhere; learned by bench/quality/learn.ts, never edited by hand.
import type { SignalName } from './piece-signals.js';

export const priceExponent = 0.75;

/** [near: pieces of changed files, far: pieces of all others] */
export type PieceWeights = Readonly<Record<SignalName, readonly [near: number, far: number]>>;

export const pieceWeights: PieceWeights = {
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
