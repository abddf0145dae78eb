// Fragments in their final words with the price of every level, worked out when first asked for, and what fitting chose of them.
import type { FinishHits, Fragment } from './fragment.js';
import type { Verdict } from './receipt.js';
import type { Channel } from './recipe.js';

export interface PricedLevel {
  readonly name: string;
  /** The words as they stand at a given place in their section. */
  textAt(place: number): string;
  /** Weight of the words and the separator behind them, at the costliest place. */
  weight(): number;
  /** The weight of these words with this separator, if that is how they were priced. */
  pricedAs?(words: string, separator: string): number | undefined;
  /** The weight was known beforehand, so that nothing has to be measured again. */
  readonly known?: boolean;
  /** What finishing did to the words; known once they were asked for. */
  hits?(): FinishHits | undefined;
}

export interface PricedFragment {
  readonly fragment: Fragment;
  readonly levels: readonly PricedLevel[];
}

export interface SectionPrice {
  readonly channel: Channel;
  /** Heading, less the separator that its last fragment does not need. */
  readonly weight: number;
  readonly between: number;
  /** Separator to a neighbouring section of the channel. */
  readonly apart: number;
}

/** All weights in one row, so that a walk over many fragments stays within it. */
export interface PriceTable {
  /** Where the levels of each fragment begin. */
  readonly first: Int32Array;
  /** NaN until it is asked for. */
  readonly weights: Float64Array;
}

export interface PricedSet {
  readonly fragments: readonly PricedFragment[];
  readonly sections: ReadonlyMap<string, SectionPrice>;
  readonly prices: PriceTable;
}

export function weightIn({ fragments, prices }: PricedSet, index: number, level: number): number {
  const weight = prices.weights[(prices.first[index] ?? 0) + level] ?? Number.NaN;
  return Number.isNaN(weight) ? (fragments[index]?.levels[level]?.weight() ?? 0) : weight;
}

export interface FragmentChoice {
  readonly wording: PricedFragment;
  /** Index into the levels; undefined when the fragment is left out. */
  readonly level?: number;
  /** For fragments cut to their head: code units of the words that stay. */
  readonly cutAt?: number;
  /** Zero-based page; undefined for fragments on every page. */
  readonly page?: number;
  /** For what was left out beside something: the page it would have stood on. */
  readonly near?: number;
  readonly verdict: Verdict;
  readonly reason: string;
}

/** What stays, at which level and on which page, and how far down the concession list we had to go. */
export interface FitResult {
  readonly choices: readonly FragmentChoice[];
  readonly pages: number;
  readonly concessions: Concessions;
  /** Those of each page, where pages make their own. */
  readonly byPage?: readonly Concessions[];
}

interface Concessions {
  readonly made: number;
  readonly offered: number;
}
