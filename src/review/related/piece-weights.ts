// How much each signal says, in a changed file and elsewhere; learned by bench/quality/learn.ts, never edited by hand.
import type { SignalName } from './piece-signals.js';

export const priceExponent = 0.75;

/** [near: pieces of changed files, far: pieces of all others] */
export const pieceWeights: Readonly<Record<SignalName, readonly [near: number, far: number]>> = {
  any: [-2, -5],
  nearness: [0.42, 0],
  pieceWords: [1, 0],
  unitWords: [0, 1.6],
  lineWords: [0.5, 0.5],
  wordRank: [0.4, 0.5],
  historyRank: [0.7, 0.5],
  sameStem: [0, 0.75],
  sharedFolders: [0, 0.6],
  imported: [0, 0.6],
  defines: [0.4, 1.2],
  mentions: [0.6, 0.2],
  stale: [0.6, 1.3],
  test: [-4, -4],
  named: [1.3, 1.4],
};
