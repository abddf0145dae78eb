// What a query asks for: its terms, how much each weighs, and which of them follow each other.
import { questionDamping, questionFocus } from './question-words.js';
import { type CollectionStatistics, rarityOf } from './statistics.js';
import { type Token, tokensOf } from './tokens.js';

export interface WeighedQuery {
  readonly weights: ReadonlyMap<string, number>;
  /** Neighbouring words or pairs, joined by a space. */
  readonly sequences: ReadonlyMap<string, number>;
}

const singleWeight = 0.3;

/** For ranking chunks: rarity in the collection decides. */
export function weighQuery(query: string, statistics: CollectionStatistics): WeighedQuery {
  const weights = new Map<string, number>();
  const sequences = new Map<string, number>();
  let previous: Token | undefined;
  for (const token of tokensOf(query)) {
    const weight = weightOf(token, statistics, singleWeight);
    weights.set(token.term, Math.max(weights.get(token.term) ?? 0, weight));
    if (token.kind === 'single') continue;
    if (previous !== undefined && token.place === previous.place + 1) {
      const both = Math.min(weights.get(previous.term) ?? 0, weight);
      sequences.set(`${previous.term} ${token.term}`, both);
    }
    previous = token;
  }
  return { weights, sequences };
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
