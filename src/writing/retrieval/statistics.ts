// How common is a term in the collection? The store answers from its index, the memory index from its own counts.
import { tokensOf } from './tokens.js';

export interface CollectionStatistics {
  /** Chunks in the collection. */
  readonly documents: number;
  /** Mean number of words and pairs in a chunk. */
  readonly averageLength: number;
  /** Chunks that hold the term. */
  frequencyOf(term: string): number;
}

export function collectStatistics(texts: Iterable<string>): CollectionStatistics {
  const frequencies = new Map<string, number>();
  let documents = 0;
  let length = 0;
  for (const text of texts) {
    const tokens = tokensOf(text);
    documents += 1;
    length += lengthOf(tokens);
    for (const term of new Set(tokens.map((token) => token.term))) {
      frequencies.set(term, (frequencies.get(term) ?? 0) + 1);
    }
  }
  return {
    documents,
    averageLength: documents === 0 ? 0 : length / documents,
    frequencyOf: (term) => frequencies.get(term) ?? 0,
  };
}

/** Words and pairs; single characters beside pairs do not make a text longer. */
export function lengthOf(tokens: readonly { readonly kind: string; readonly alone?: boolean }[]): number {
  let length = 0;
  for (const token of tokens) if (token.kind !== 'single' || token.alone === true) length += 1;
  return length;
}

export function rarityOf(statistics: CollectionStatistics, term: string): number {
  const holding = Math.min(statistics.frequencyOf(term), statistics.documents);
  return Math.log(1 + (statistics.documents - holding + 0.5) / (holding + 0.5));
}
