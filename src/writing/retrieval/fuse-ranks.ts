// One ranking out of several: reciprocal ranks add up, so that scores of different kinds never have to be compared.
import { type RankedChunk, sortRanked } from './rank-chunks.js';

const flatness = 60;

export function fuseRanks(rankings: readonly (readonly { readonly id: string }[])[]): RankedChunk[] {
  const scores = new Map<string, number>();
  for (const ranking of rankings) {
    ranking.forEach(({ id }, index) => {
      scores.set(id, (scores.get(id) ?? 0) + 1 / (flatness + index + 1));
    });
  }
  return sortRanked([...scores].map(([id, score]) => ({ id, score })));
}
