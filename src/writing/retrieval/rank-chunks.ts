// Which chunks answer best? BM25 over words and character pairs, with bonuses for terms that stand close together, in the
// query's order, in the title or next door. Same input, same order: ties go by id.
import { byCodePoint } from '../../core/model/code-points.js';
import {
  type ChunkTerms,
  chunkTerms,
  firstOf,
  type HashedText,
  type SceneTerm,
  type WeighedQuery,
} from './query.js';

interface Candidate extends HashedText {
  readonly id: string;
  readonly documentId: string;
  /** Its place in the document. */
  readonly ordinal: number;
  readonly title?: string;
  /** Its document's place in the story. */
  readonly chapter?: number | undefined;
}

export interface RankedChunk {
  readonly id: string;
  readonly score: number;
}

/** What a query makes of a text, worth keeping while the query and its collection stay. */
export interface ChunkMatch {
  readonly score: number;
  /** How often it holds each term of the query. */
  readonly counts: Uint32Array;
}

export interface Ranking {
  readonly query: WeighedQuery;
  /** Terms of the text at hand: they decide between equals. */
  readonly scene: readonly SceneTerm[];
  /** Of the collection, in terms a chunk. */
  readonly averageLength: number;
  /** What the query made of texts before, by content hash; new ones are added. */
  readonly matches: Remembered<ChunkMatch>;
  /** The same for titles. */
  readonly titles: Remembered<number>;
}

interface Remembered<Value> {
  get(key: string): Value | undefined;
  set(key: string, value: Value): unknown;
}

const saturation = 1.2;
const lengthPenalty = 0.75;
const closeness = 0.6;
const sequence = 0.15;
const titleGain = 0.5;
const neighbourGain = 0.6;
const firstGain = 1.2;

export function rankChunks(candidates: readonly Candidate[], ranking: Ranking): RankedChunk[] {
  const { query, scene, averageLength, titles } = ranking;
  const scoreTitle = (title = '') => {
    const known = titles.get(title) ?? titleScore(title, query);
    titles.set(title, known);
    return known;
  };
  const matches = candidates.map((candidate) => matchOf(candidate, ranking));
  const documents = byDocument(candidates, matches);
  const firsts = introductions(candidates, matches, query);
  return sortRanked(
    candidates.map((candidate, at) => {
      const { score, counts } = matches[at]!;
      const others = documents.get(candidate.documentId);
      const before = others?.get(candidate.ordinal - 1)?.counts;
      const after = others?.get(candidate.ordinal + 1)?.counts;
      const around =
        neighbourGain * missingWeight(counts, { before, after }, query) +
        titleGain * scoreTitle(candidate.title);
      const first = firstGain * (firsts[at] ?? 0);
      return {
        id: candidate.id,
        score: score + around + first + sceneScore(candidate, scene, averageLength),
      };
    }),
  );
}

/** The weight of the terms that nobody spoke of before: where something is first told of, it is told what it is. */
function introductions(
  candidates: readonly Candidate[],
  matches: readonly ChunkMatch[],
  { terms }: WeighedQuery,
): Float64Array {
  const sums = new Float64Array(candidates.length);
  if (candidates.some(({ chapter }) => chapter === undefined)) return sums;
  const before = (a: number, b: number) =>
    candidates[a]!.chapter! - candidates[b]!.chapter! || candidates[a]!.ordinal - candidates[b]!.ordinal;
  terms.forEach(({ weight, single }, term) => {
    if (single) return;
    let first = -1;
    matches.forEach(({ counts }, at) => {
      if (counts[term]! > 0 && (first < 0 || before(at, first) < 0)) first = at;
    });
    if (first >= 0) sums[first]! += weight * Math.min(1, matches[first]!.counts[term]! / 2);
  });
  return sums;
}

export function sortRanked(ranked: RankedChunk[]): RankedChunk[] {
  return ranked.sort((left, right) => right.score - left.score || byCodePoint(left.id, right.id));
}

/** By document, then by place in it. */
function byDocument(
  candidates: readonly Candidate[],
  matches: readonly ChunkMatch[],
): ReadonlyMap<string, ReadonlyMap<number, ChunkMatch>> {
  const documents = new Map<string, Map<number, ChunkMatch>>();
  candidates.forEach(({ documentId, ordinal }, at) => {
    const known = documents.get(documentId) ?? new Map<number, ChunkMatch>();
    documents.set(documentId, known.set(ordinal, matches[at]!));
  });
  return documents;
}

function matchOf(candidate: Candidate, { query, averageLength, matches }: Ranking): ChunkMatch {
  const known = matches.get(candidate.contentHash);
  if (known !== undefined) return known;
  const match = matchChunk(chunkTerms(candidate), query, averageLength);
  matches.set(candidate.contentHash, match);
  return match;
}

function matchChunk(chunk: ChunkTerms, query: WeighedQuery, averageLength: number): ChunkMatch {
  const damp = dampOf(chunk, averageLength);
  const hits: number[] = [];
  const counts = new Uint32Array(query.terms.length);
  let score = 0;
  query.terms.forEach(({ key, weight }, index) => {
    const first = firstOf(chunk, key);
    let past = first;
    for (; chunk.keys[past] === key; past += 1) hits.push(chunk.places[past]! * spread + index);
    counts[index] = past - first;
    score += weight * saturated(past - first, damp);
  });
  hits.sort((a, b) => a - b);
  return { score: score + closeness * mostTogether(hits, query) + sequence * inOrder(hits, query), counts };
}

function sceneScore(candidate: Candidate, scene: readonly SceneTerm[], averageLength: number): number {
  if (scene.length === 0) return 0;
  const chunk = chunkTerms(candidate);
  const damp = dampOf(chunk, averageLength);
  let sum = 0;
  for (const { key, weight } of scene) {
    const first = firstOf(chunk, key);
    let past = first;
    while (chunk.keys[past] === key) past += 1;
    if (past > first) sum += weight * saturated(past - first, damp);
  }
  return sum;
}

function dampOf({ keys }: ChunkTerms, averageLength: number): number {
  const relative = averageLength === 0 ? 1 : keys.length / averageLength;
  return saturation * (1 - lengthPenalty + lengthPenalty * relative);
}

function saturated(count: number, damp: number): number {
  return (count * (saturation + 1)) / (count + damp);
}

/** A chunk is read with its neighbours: what it lacks may stand there. */
function missingWeight(
  counts: Uint32Array,
  { before, after }: { before: Uint32Array | undefined; after: Uint32Array | undefined },
  { terms }: WeighedQuery,
): number {
  if (before === undefined && after === undefined) return 0;
  return terms.reduce((sum, { weight }, index) => {
    const isNear = (before?.[index] ?? 0) > 0 || (after?.[index] ?? 0) > 0;
    return counts[index] === 0 && isNear ? sum + weight : sum;
  }, 0);
}

function titleScore(title: string, { terms }: WeighedQuery): number {
  if (title === '') return 0;
  const held = chunkTerms({ text: title, contentHash: `title ${title}` });
  return terms.reduce(
    (sum, { key, weight }) => (held.keys[firstOf(held, key)] === key ? sum + weight : sum),
    0,
  );
}

// How do the terms of a query stand in a chunk: close together, and in the query's order? A hit is a place in the chunk and the
// query's term that stands there, as one number; hits ascend.
const spread = 0x1_0000;

const window = 20;

/** The most weight of distinct terms within any stretch of the window's length. */
function mostTogether(hits: readonly number[], { terms }: WeighedQuery): number {
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
function inOrder(hits: readonly number[], { terms, sequences }: WeighedQuery): number {
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

// One ranking out of several: reciprocal ranks add up, so that scores of different kinds never have to be compared.
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
