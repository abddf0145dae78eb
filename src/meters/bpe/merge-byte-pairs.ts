// Byte-pair encoding itself: the neighbours with the lowest rank merge first, the leftmost of equals before the rest.
// Bytes are written as Latin-1 characters. Meant for pre-tokens of bounded length.

export function mergeBytePairs(bytes: string, ranks: ReadonlyMap<string, number>): number[] {
  const whole = ranks.get(bytes);
  if (whole !== undefined) return [whole];
  const starts = Array.from({ length: bytes.length + 1 }, (_, index) => index);
  const rankAt = (part: number): number => {
    const end = starts[part + 2];
    return end === undefined ? Infinity : (ranks.get(bytes.slice(starts[part], end)) ?? Infinity);
  };
  const pairRanks = starts.map((_, part) => rankAt(part));
  for (;;) {
    let lowest = Infinity;
    let at = -1;
    for (let part = 0; part < pairRanks.length; part += 1) {
      if (pairRanks[part]! < lowest) {
        lowest = pairRanks[part]!;
        at = part;
      }
    }
    if (at < 0) break;
    starts.splice(at + 1, 1);
    pairRanks.splice(at + 1, 1);
    pairRanks[at] = rankAt(at);
    if (at > 0) pairRanks[at - 1] = rankAt(at - 1);
  }
  return starts.slice(0, -1).map((start, part) => ranks.get(bytes.slice(start, starts[part + 1]))!);
}
