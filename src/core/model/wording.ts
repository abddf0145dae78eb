// A fragment in its final words at every level, with prices that are worked out when first asked for.
import type { FinishHits, Fragment } from './fragment.js';
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

export interface Wording {
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
export interface Prices {
  /** Where the levels of each wording begin. */
  readonly first: Int32Array;
  /** NaN until it is asked for. */
  readonly weights: Float64Array;
}

export interface Phrased {
  readonly wordings: readonly Wording[];
  readonly sections: ReadonlyMap<string, SectionPrice>;
  readonly prices: Prices;
}

export function weightIn({ wordings, prices }: Phrased, index: number, level: number): number {
  const weight = prices.weights[(prices.first[index] ?? 0) + level] ?? Number.NaN;
  return Number.isNaN(weight) ? (wordings[index]?.levels[level]?.weight() ?? 0) : weight;
}
