// The exact number of tokens of any text, in linear time. Merging is quadratic in the longest pre-token, so pre-tokens are
// found here and counted one by one: the long ones in windows, the short ones, which recur, from memory.
import { countLongRun } from './count-long-run.js';
import type { Encoder, EncodingName } from './encoder.js';
import { preTokenEnd } from './pre-token.js';

const longRun = 512;
const rememberedLength = 32;
const rememberedPieces = 50_000;

export function createTokenCounter(encoding: EncodingName, encoder: Encoder): (text: string) => number {
  const counts = new Map<string, number>();
  const countPiece = (piece: string): number => {
    if (piece.length > longRun) return countLongRun(piece, encoder);
    if (piece.length > rememberedLength) return encoder.merge(piece).length;
    let count = counts.get(piece);
    if (count === undefined) {
      count = encoder.merge(piece).length;
      if (counts.size >= rememberedPieces) counts.clear();
      // A slice would keep the whole text in memory.
      counts.set(ownCopy(piece), count);
    }
    return count;
  };
  return (text) => {
    let total = 0;
    for (let start = 0; start < text.length; ) {
      const end = preTokenEnd(text, start, encoding);
      total += countPiece(text.slice(start, end));
      start = end;
    }
    return total;
  };
}

/** Of a short text. */
export function ownCopy(text: string): string {
  const units: number[] = [];
  for (let index = 0; index < text.length; index += 1) units.push(text.charCodeAt(index));
  return String.fromCharCode(...units);
}
