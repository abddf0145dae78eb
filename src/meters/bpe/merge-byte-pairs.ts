// Byte-pair encoding itself: the neighbours with the lowest rank merge first, the leftmost of equals before the rest.
// Meant for pre-tokens of bounded length.
import type { Vocabulary } from './vocabulary.js';

const never = 0x7fffffff;

export function mergeBytePairs(bytes: Uint8Array, size: number, vocabulary: Vocabulary): number[] {
  const whole = vocabulary.tokenOf(bytes, 0, size);
  if (whole >= 0) return [whole];
  const starts = new Int32Array(size + 1);
  const ranks = new Int32Array(size + 1);
  let parts = size;
  const rankAt = (part: number): number => {
    if (part + 2 > parts) return never;
    const rank = vocabulary.tokenOf(bytes, starts[part]!, starts[part + 2]!);
    return rank < 0 ? never : rank;
  };
  for (let part = 0; part <= size; part += 1) starts[part] = part;
  for (let part = 0; part < size; part += 1) ranks[part] = rankAt(part);
  for (;;) {
    let lowest = never;
    let at = -1;
    for (let part = 0; part < parts - 1; part += 1) {
      if (ranks[part]! < lowest) {
        lowest = ranks[part]!;
        at = part;
      }
    }
    if (at < 0) break;
    starts.copyWithin(at + 1, at + 2, parts + 1);
    ranks.copyWithin(at + 1, at + 2, parts);
    parts -= 1;
    ranks[at] = rankAt(at);
    if (at > 0) ranks[at - 1] = rankAt(at - 1);
  }
  const tokens: number[] = [];
  for (let part = 0; part < parts; part += 1) {
    tokens.push(vocabulary.tokenOf(bytes, starts[part]!, starts[part + 1]!));
  }
  return tokens;
}
