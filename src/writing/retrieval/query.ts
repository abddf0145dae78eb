// What a query asks for: its terms, how much each weighs, and which of them follow each other.
import { termKey } from './chunk-terms.js';
import { questionDamping, questionFocus } from './question-words.js';
import { type CollectionStatistics, rarityOf } from './statistics.js';
import { type Token, tokensOf } from './tokens.js';

export interface QueryTerm {
  readonly key: number;
  readonly weight: number;
  /** `single` characters stand beside the pairs that hold them; `scene` terms were not asked for. */
  readonly kind: 'asked' | 'single' | 'scene';
}

export interface WeighedQuery {
  readonly terms: readonly QueryTerm[];
  /** Neighbouring words or pairs of the query, by their place among the terms. */
  readonly sequences: readonly {
    readonly first: number;
    readonly second: number;
    readonly weight: number;
  }[];
}

const singleWeight = 0.3;
const sceneWeight = 0.3;

/** For ranking chunks: rarity in the collection decides. `scene` are terms of the text at hand. */
export function weighQuery(
  query: string,
  statistics: CollectionStatistics,
  scene: readonly string[] = [],
): WeighedQuery {
  const terms: { key: number; weight: number; kind: QueryTerm['kind'] }[] = [];
  const places = new Map<string, number>();
  const sequences = new Map<string, { first: number; second: number; weight: number }>();
  let previous: { place: number; term: number } | undefined;
  for (const token of tokensOf(query)) {
    const weight = weightOf(token, statistics, singleWeight);
    const at = places.get(token.term) ?? terms.length;
    places.set(token.term, at);
    const known = terms[at];
    if (known === undefined)
      terms.push({ key: termKey(token.term), weight, kind: token.kind === 'single' ? 'single' : 'asked' });
    else known.weight = Math.max(known.weight, weight);
    if (token.kind === 'single') continue;
    if (previous !== undefined && token.place === previous.place + 1) {
      const both = Math.min(terms[previous.term]?.weight ?? 0, weight);
      sequences.set(`${previous.term} ${at}`, { first: previous.term, second: at, weight: both });
    }
    previous = { place: token.place, term: at };
  }
  for (const term of scene) {
    if (places.has(term)) continue;
    places.set(term, terms.length);
    terms.push({ key: termKey(term), weight: sceneWeight * rarityOf(statistics, term), kind: 'scene' });
  }
  return { terms, sequences: [...sequences.values()] };
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

function weightOf(token: Token, statistics: CollectionStatistics, single: number): number {
  const lesser = token.kind === 'single' && token.alone !== true ? single : 1;
  return rarityOf(statistics, token.term) * questionDamping(token.term) * lesser;
}
