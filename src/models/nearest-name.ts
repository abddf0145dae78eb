// Which known name was meant? The one that shares the most pairs of letters, if it shares enough of them.

const enough = 0.4;

export function nearestName(name: string, known: readonly string[]): string | undefined {
  let best: { name: string; likeness: number } | undefined;
  for (const candidate of known) {
    const likeness = likenessOf(name.toLowerCase(), candidate.toLowerCase());
    if (likeness >= enough && likeness > (best?.likeness ?? 0)) best = { name: candidate, likeness };
  }
  return best?.name;
}

function likenessOf(left: string, right: string): number {
  const pairs = pairsOf(left);
  const others = pairsOf(right);
  const shared = [...pairs].filter((pair) => others.has(pair)).length;
  return (2 * shared) / (pairs.size + others.size);
}

function pairsOf(name: string): Set<string> {
  const padded = `^${name.slice(0, 80)}$`;
  return new Set(Array.from({ length: padded.length - 1 }, (_, index) => padded.slice(index, index + 2)));
}
