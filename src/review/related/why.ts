// One phrase that says why a piece is shown: the signal that spoke loudest for it.
import type { MeasuredPiece } from './measure-file.js';
import { column, type SignalName } from './piece-signals.js';
import { pieceWeights } from './piece-weights.js';

const phrases: readonly (readonly [SignalName, string])[] = [
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

export function explain(piece: MeasuredPiece): string {
  if (piece.visible && piece.signals[column.nearness]! >= adjacent) return 'next to the change';
  let best = piece.visible ? 'in a changed file' : 'close to a changed file';
  let loudest = 0.2;
  for (const [name, phrase] of phrases) {
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
