// How do the terms of a query stand in a chunk: close together, and in the query's order? A hit is a place in the chunk and the
// query's term that stands there, as one number; hits ascend.
import type { WeighedQuery } from './query.js';

export const spread = 0x1_0000;

const window = 20;

/** The most weight of distinct terms within any stretch of the window's length. */
export function mostTogether(hits: readonly number[], { terms }: WeighedQuery): number {
  const inside = new Uint32Array(terms.length);
  let best = 0;
  let sum = 0;
  let first = 0;
  for (const hit of hits) {
    for (const past = placeOf(hit) - window; placeOf(hits[first]!) <= past; first += 1) {
      const term = termOf(hits[first]!);
      inside[term]! -= 1;
      if (inside[term] === 0) sum -= terms[term]!.weight;
    }
    const term = termOf(hit);
    if (inside[term] === 0) sum += terms[term]!.weight;
    inside[term]! += 1;
    if (sum > best) best = sum;
  }
  return best;
}

/** The weight of neighbours in the query that are neighbours here. */
export function inOrder(hits: readonly number[], { terms, sequences }: WeighedQuery): number {
  const found = new Set<number>();
  let previous = -1;
  for (const hit of hits) {
    if (terms[termOf(hit)]!.single) continue;
    if (previous >= 0 && placeOf(previous) === placeOf(hit) - 1)
      found.add(termOf(previous) * spread + termOf(hit));
    previous = hit;
  }
  let sum = 0;
  for (const { first, second, weight } of sequences) if (found.has(first * spread + second)) sum += weight;
  return sum;
}

function placeOf(hit: number): number {
  return Math.floor(hit / spread);
}

function termOf(hit: number): number {
  return hit % spread;
}
