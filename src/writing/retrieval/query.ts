// What a query asks for: its terms, how much each weighs, and which of them follow each other.

import { LRUCache } from 'lru-cache';
import { questionDamping, questionFocus, type Token, tokensOf } from './terms.js';

interface QueryTerm {
  readonly key: number;
  readonly weight: number;
  /** A character that stands beside the pairs that hold it. */
  readonly single: boolean;
}

export type SceneTerm = Pick<QueryTerm, 'key' | 'weight'>;

export interface WeighedQuery {
  readonly terms: readonly QueryTerm[];
  /** Neighbouring words or pairs of the query, by their place among the terms. */
  readonly sequences: readonly {
    readonly first: number;
    readonly second: number;
    readonly weight: number;
  }[];
}

/** A text that is asked with, and how much it counts. */
export interface WeighedText {
  readonly text: string;
  readonly weight: number;
}

const singleWeight = 0.3;
const sceneWeight = 0.3;

/** For ranking chunks: rarity in the collection decides. */
export function weighQuery(query: string, statistics: CollectionStatistics): WeighedQuery {
  return weighTexts([{ text: query, weight: 1 }], (token) => weightOf(token, statistics, singleWeight));
}

/** Rarer than this part of the chunks tells nothing more: pairs across word borders are rare, too. */
export const rareShare = 0.005;
const fillerWeight = 0.1;
/** Pairs with these characters are everywhere. */
const filler = /[的了是在有和与之于为着就也都而及不他她它我你这那说道去来又]/;

export function isFiller(term: string): boolean {
  return filler.test(term);
}

/** For sentences that were just written: nobody asks by them, so what is merely rare counts less. */
export function weighPen(sentences: readonly WeighedText[], statistics: CollectionStatistics): WeighedQuery {
  return weighTexts(sentences, penWeights(statistics));
}

function penWeights({
  documents,
  averageLength,
  frequencyOf,
}: CollectionStatistics): (token: Token) => number {
  const least = documents * rareShare;
  const capped = {
    documents,
    averageLength,
    frequencyOf: (term: string) => Math.max(least, frequencyOf(term)),
  };
  return (token) => {
    if (token.kind === 'single' && token.alone !== true) return 0;
    const lesser = isFiller(token.term) ? fillerWeight : 1;
    return lesser * weightOf(token, capped, singleWeight);
  };
}

function weighTexts(texts: readonly WeighedText[], weigh: (token: Token) => number): WeighedQuery {
  const terms: { key: number; weight: number; single: boolean }[] = [];
  const places = new Map<string, number>();
  const sequences = new Map<string, { first: number; second: number; weight: number }>();
  let previous: { place: number; term: number } | undefined;
  const told = texts.flatMap(({ text, weight }, part) =>
    tokensOf(text).map((token) => ({ token, factor: weight, part })),
  );
  let reading = 0;
  for (const { token, factor, part } of told) {
    if (part !== reading) previous = undefined;
    reading = part;
    const weight = factor * weigh(token);
    if (weight === 0) continue;
    const at = places.get(token.term) ?? terms.length;
    places.set(token.term, at);
    const known = terms[at];
    if (known === undefined)
      terms.push({ key: termKey(token.term), weight, single: token.kind === 'single' });
    else known.weight = Math.max(known.weight, weight);
    if (token.kind === 'single') continue;
    if (previous !== undefined && token.place === previous.place + 1) {
      const both = Math.min(terms[previous.term]?.weight ?? 0, weight);
      sequences.set(`${previous.term} ${at}`, { first: previous.term, second: at, weight: both });
    }
    previous = { place: token.place, term: at };
  }
  return { terms, sequences: [...sequences.values()] };
}

/** Terms of the text at hand that the query does not ask for itself. */
export function weighScene(
  scene: Iterable<string>,
  { terms }: WeighedQuery,
  statistics: CollectionStatistics,
): readonly SceneTerm[] {
  const asked = new Set(terms.map(({ key }) => key));
  return [...new Set(scene)]
    .map((term) => ({ key: termKey(term), weight: sceneWeight * rarityOf(statistics, term) }))
    .filter(({ key }) => !asked.has(key));
}

const focusSingleWeight = 0.4;
const focusGain = 2;
const focusReach = { eastAsian: 6, spaced: 20 };

/** For finding the sentence inside a chunk: the chunk's topic is settled, so words near the question word count more. */
export function focusQuery(query: string, statistics: CollectionStatistics): ReadonlyMap<string, number> {
  const weights = new Map<string, number>();
  const focus = questionFocus(query);
  for (const token of tokensOf(query)) {
    let weight = weightOf(token, statistics, focusSingleWeight) ** 0.7;
    if (focus !== undefined) {
      const distance = Math.abs((token.start + token.end) / 2 - focus);
      const reach = token.kind === 'word' ? focusReach.spaced : focusReach.eastAsian;
      weight *= 1 + focusGain * Math.exp(-distance / reach);
    }
    weights.set(token.term, Math.max(weights.get(token.term) ?? 0, weight));
  }
  return weights;
}

/** The same for sentences that were just written. */
export function focusPen(
  sentences: readonly WeighedText[],
  statistics: CollectionStatistics,
): ReadonlyMap<string, number> {
  const weights = new Map<string, number>();
  const weigh = penWeights(statistics);
  for (const { text, weight: factor } of sentences)
    for (const token of tokensOf(text)) {
      const weight = factor * weigh(token);
      if (weight > (weights.get(token.term) ?? 0)) weights.set(token.term, weight);
    }
  return weights;
}

function weightOf(token: Token, statistics: CollectionStatistics, single: number): number {
  const lesser = token.kind === 'single' && token.alone !== true ? single : 1;
  return rarityOf(statistics, token.term) * questionDamping(token.term) * lesser;
}

// How common is a term in the collection? The index answers.
export interface CollectionStatistics {
  /** Chunks in the collection. */
  readonly documents: number;
  /** Mean number of terms in a chunk. */
  readonly averageLength: number;
  /** Chunks that hold the term. */
  frequencyOf(term: string): number;
}

function rarityOf(statistics: CollectionStatistics, term: string): number {
  const holding = Math.min(statistics.frequencyOf(term), statistics.documents);
  return Math.log(1 + (statistics.documents - holding + 0.5) / (holding + 0.5));
}

// Which terms stand where in a chunk? In a compact form that is worth keeping: cutting a text into terms costs far more than
// scoring them, and a chunk that was found once is usually found again.
export interface ChunkTerms {
  /** Ascending; as often as the term stands in the chunk. */
  readonly keys: Float64Array;
  /** Running number of the word or pair, for every key. */
  readonly places: Uint32Array;
}

export interface HashedText {
  readonly text: string;
  readonly contentHash: string;
}

const mostTokens = 2_000_000;
const kept = new LRUCache<string, ChunkTerms>({
  maxSize: mostTokens,
  sizeCalculation: ({ keys }) => keys.length + 1,
});

export function chunkTerms({ text, contentHash }: HashedText): ChunkTerms {
  const known = kept.get(contentHash);
  if (known !== undefined) return known;
  const terms = termsIn(tokensOf(text));
  kept.set(contentHash, terms);
  return terms;
}

/** Keys of characters and pairs lie below. */
const smallKeys = 0x1_0000_0000;
/** A key and a place in one number: numbers are sorted much faster than anything that is compared by a function. */
const placeRoom = 0x10_0000;

function termsIn(tokens: readonly Token[]): ChunkTerms {
  const keys = Float64Array.from(tokens, ({ term }) => termKey(term));
  const places = Uint32Array.from(tokens, ({ place }) => place);
  if (keys.some((key) => key >= smallKeys) || places.some((place) => place >= placeRoom)) {
    const order = [...tokens.keys()].sort((a, b) => keys[a]! - keys[b]! || places[a]! - places[b]!);
    return {
      keys: Float64Array.from(order, (at) => keys[at]!),
      places: Uint32Array.from(order, (at) => places[at]!),
    };
  }
  const both = keys.map((key, at) => key * placeRoom + places[at]!).sort();
  return {
    keys: both.map((one) => Math.floor(one / placeRoom)),
    places: Uint32Array.from(both, (one) => one % placeRoom),
  };
}

/** Where the key stands first, or where it would stand. */
export function firstOf({ keys }: ChunkTerms, key: number): number {
  let low = 0;
  let high = keys.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((keys[middle] as number) < key) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** A number that stands for a term: exact for characters and pairs, 53 bits of a hash for longer words. */
export function termKey(term: string): number {
  if (term.length <= 2) return term.charCodeAt(0) * 0x1_0000 + (term.length === 2 ? term.charCodeAt(1) : 0);
  let high = 0x811c_9dc5;
  let low = 0x9e37_79b9;
  for (let index = 0; index < term.length; index += 1) {
    const unit = term.charCodeAt(index);
    high = Math.imul(high ^ unit, 0x0100_0193);
    low = Math.imul(low ^ unit, 0x85eb_ca6b);
    low ^= low >>> 15;
  }
  return (1 + ((high ^ (high >>> 16)) & 0xf_ffff)) * 0x1_0000_0000 + (low >>> 0);
}
