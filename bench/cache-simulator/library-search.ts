// A search of its own for the reference policies, so that they share nothing with the engine they are compared to.

export interface LibraryPiece {
  readonly id: string;
  readonly text: string;
}

export function searchLibrary(
  library: readonly { readonly id: string; readonly text: string }[],
): (query: string) => readonly LibraryPiece[] {
  const pieces = library.flatMap(({ id, text }) => {
    const flat = text.replace(/\s+/g, '');
    return Array.from({ length: Math.floor(flat.length / 250) }, (_, index) => ({
      id: `${id}-${String(index).padStart(3, '0')}`,
      text: flat.slice(index * 250, (index + 1) * 250),
    }));
  });
  const holders = new Map<string, number[]>();
  pieces.forEach(({ text }, index) => {
    for (const pair of pairsOf(text)) holders.set(pair, [...(holders.get(pair) ?? []), index]);
  });
  return (query) => {
    const scores = new Map<number, number>();
    for (const pair of pairsOf(query)) {
      const found = holders.get(pair) ?? [];
      for (const index of found)
        scores.set(index, (scores.get(index) ?? 0) + Math.log(1 + pieces.length / found.length));
    }
    return [...scores].sort((a, b) => b[1] - a[1] || a[0] - b[0]).map(([index]) => pieces[index]!);
  };
}

function pairsOf(text: string): Set<string> {
  const flat = text.replace(/[\s，。．！？、：；“”"‘’]/g, '');
  return new Set(
    Array.from({ length: Math.max(0, flat.length - 1) }, (_, index) => flat.slice(index, index + 2)),
  );
}

/** How well passages suit a query, by the pairs they share; rare pairs count more. */
export function passageWorth(
  library: readonly { readonly text: string }[],
): (passages: readonly string[], query: string) => number {
  const holders = new Map<string, number>();
  let pieces = 0;
  for (const { text } of library) {
    const flat = text.replace(/\s+/g, '');
    for (let at = 0; at + 250 <= flat.length; at += 250) {
      pieces += 1;
      for (const pair of pairsOf(flat.slice(at, at + 250))) holders.set(pair, (holders.get(pair) ?? 0) + 1);
    }
  }
  return (passages, query) => {
    const asked = pairsOf(query);
    let worth = 0;
    for (const passage of passages)
      for (const pair of pairsOf(passage))
        if (asked.has(pair)) worth += Math.log(1 + pieces / (holders.get(pair) ?? 1));
    return worth;
  };
}
