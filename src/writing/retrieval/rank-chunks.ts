// Which chunks answer best? BM25 over words and character pairs, with bonuses for terms that stand close together,
// in the query's order, or in the title. Same input, same order: ties go by id.
import { byCodePoint } from '../../core/model/code-point-order.js';
import { type ChunkTerms, chunkTerms, firstOf, type HashedText } from './chunk-terms.js';
import type { WeighedQuery } from './query.js';

export interface Candidate extends HashedText {
  readonly id: string;
  readonly documentId: string;
  /** Its place in the document. */
  readonly ordinal: number;
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
const neighbourGain = 0.6;

/** `averageLength` is that of the collection, in terms a chunk. */
export function rankChunks(
  query: WeighedQuery,
  candidates: readonly Candidate[],
  averageLength: number,
): RankedChunk[] {
  const titles = new Map<string, number>();
  const scoreTitle = (title = '') => {
    const known = titles.get(title) ?? titleScore(title, query);
    titles.set(title, known);
    return known;
  };
  const matches = candidates.map((candidate) => matchChunk(chunkTerms(candidate), query, averageLength));
  const byPlace = new Map(candidates.map((candidate, at) => [placeName(candidate), matches[at]!]));
  return sortRanked(
    candidates.map((candidate, at) => {
      const { score, counts } = matches[at]!;
      const near = [-1, 1].flatMap((step) => {
        const match = byPlace.get(placeName(candidate, step));
        return match === undefined ? [] : [match.counts];
      });
      const context =
        neighbourGain * missingWeight(counts, near, query) + titleGain * scoreTitle(candidate.title);
      return { id: candidate.id, score: score + context };
    }),
  );
}

function placeName({ documentId, ordinal }: Candidate, step = 0): string {
  return `${ordinal + step} ${documentId}`;
}

/** A chunk is read with its neighbours: what it lacks may stand there. */
function missingWeight(counts: Uint32Array, near: readonly Uint32Array[], { terms }: WeighedQuery): number {
  if (near.length === 0) return 0;
  return terms.reduce((sum, { weight, kind }, index) => {
    const isNear = kind !== 'scene' && counts[index] === 0 && near.some((other) => other[index]! > 0);
    return isNear ? sum + weight : sum;
  }, 0);
}

export function sortRanked(ranked: RankedChunk[]): RankedChunk[] {
  return ranked.sort((left, right) => right.score - left.score || byCodePoint(left.id, right.id));
}

/** A place in the chunk and the query's term that stands there, as one number. */
const spread = 0x1_0000;

interface Match {
  readonly score: number;
  /** For every term of the query. */
  readonly counts: Uint32Array;
}

function matchChunk(chunk: ChunkTerms, query: WeighedQuery, averageLength: number): Match {
  const relative = averageLength === 0 ? 1 : chunk.keys.length / averageLength;
  const damp = saturation * (1 - lengthPenalty + lengthPenalty * relative);
  const hits: number[] = [];
  const counts = new Uint32Array(query.terms.length);
  let score = 0;
  for (let index = 0; index < query.terms.length; index += 1) {
    const { key, weight, kind } = query.terms[index]!;
    const first = firstOf(chunk, key);
    let past = first;
    for (; chunk.keys[past] === key; past += 1)
      if (kind !== 'scene') hits.push(chunk.places[past]! * spread + index);
    const count = past - first;
    counts[index] = count;
    if (count > 0) score += (weight * count * (saturation + 1)) / (count + damp);
  }
  hits.sort((a, b) => a - b);
  score += closeness * closestTogether(hits, query) + sequence * inSequence(hits, query);
  return { score, counts };
}

/** The most weight of distinct terms within any stretch of the window's length. */
function closestTogether(hits: readonly number[], { terms }: WeighedQuery): number {
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

function inSequence(hits: readonly number[], { terms, sequences }: WeighedQuery): number {
  const found = new Set<number>();
  let previous = -1;
  for (const hit of hits) {
    if (terms[termOf(hit)]!.kind === 'single') continue;
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

function titleScore(title: string, { terms }: WeighedQuery): number {
  if (title === '') return 0;
  const held = chunkTerms({ text: title, contentHash: `title ${title}` });
  return terms.reduce((sum, { key, weight, kind }) => {
    if (kind === 'scene') return sum;
    return held.keys[firstOf(held, key)] === key ? sum + weight : sum;
  }, 0);
}
