// Which chunks answer best? BM25 over words and character pairs, with bonuses for terms that stand close together,
// in the query's order, or in the title. Same input, same order: ties go by id.
import { byCodePoint } from '../../core/model/code-point-order.js';
import { type WeighedQuery, weighQuery } from './query.js';
import { type CollectionStatistics, collectStatistics, lengthOf } from './statistics.js';
import { type Token, tokensOf } from './tokens.js';

export interface Candidate {
  readonly id: string;
  readonly text: string;
  readonly title?: string;
}

export interface RankedChunk {
  readonly id: string;
  readonly score: number;
}

const saturation = 1.2;
const lengthPenalty = 0.75;
const window = 20;
const closeness = 0.6;
const sequence = 0.15;
const titleGain = 0.5;

export function rankChunks(
  query: string,
  candidates: readonly Candidate[],
  statistics: CollectionStatistics = collectStatistics(candidates.map((candidate) => candidate.text)),
): RankedChunk[] {
  const weighed = weighQuery(query, statistics);
  return sortRanked(
    candidates.map((candidate) => ({
      id: candidate.id,
      score:
        scoreTokens(tokensOf(candidate.text), weighed, statistics.averageLength) +
        titleGain * titleScore(candidate.title, weighed),
    })),
  );
}

export function sortRanked(ranked: RankedChunk[]): RankedChunk[] {
  return ranked.sort((left, right) => right.score - left.score || byCodePoint(left.id, right.id));
}

export function scoreTokens(tokens: readonly Token[], query: WeighedQuery, averageLength: number): number {
  const hits = tokens.filter((token) => query.weights.has(token.term));
  if (hits.length === 0) return 0;
  const counts = new Map<string, number>();
  for (const hit of hits) counts.set(hit.term, (counts.get(hit.term) ?? 0) + 1);
  const relative = averageLength === 0 ? 1 : lengthOf(tokens) / averageLength;
  const damp = saturation * (1 - lengthPenalty + lengthPenalty * relative);
  let score = 0;
  for (const [term, count] of counts) {
    score += (query.weights.get(term)! * count * (saturation + 1)) / (count + damp);
  }
  return score + closeness * closestTogether(hits, query) + sequence * inSequence(hits, query);
}

/** The most weight of distinct terms within any stretch of the window's length. */
function closestTogether(hits: readonly Token[], query: WeighedQuery): number {
  const inside = new Map<string, number>();
  let best = 0;
  let sum = 0;
  let first = 0;
  for (const hit of hits) {
    for (; hits[first]!.place <= hit.place - window; first += 1) {
      const { term } = hits[first]!;
      const left = inside.get(term)! - 1;
      inside.set(term, left);
      if (left === 0) sum -= query.weights.get(term)!;
    }
    const count = inside.get(hit.term) ?? 0;
    if (count === 0) sum += query.weights.get(hit.term)!;
    inside.set(hit.term, count + 1);
    if (sum > best) best = sum;
  }
  return best;
}

function inSequence(hits: readonly Token[], query: WeighedQuery): number {
  const found = new Set<string>();
  let previous: Token | undefined;
  for (const hit of hits) {
    if (hit.kind === 'single') continue;
    if (previous?.place === hit.place - 1) found.add(`${previous.term} ${hit.term}`);
    previous = hit;
  }
  let sum = 0;
  for (const [pair, weight] of query.sequences) if (found.has(pair)) sum += weight;
  return sum;
}

function titleScore(title: string | undefined, query: WeighedQuery): number {
  if (title === undefined) return 0;
  let sum = 0;
  for (const term of new Set(tokensOf(title).map((token) => token.term))) sum += query.weights.get(term) ?? 0;
  return sum;
}
