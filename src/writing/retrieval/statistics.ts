// How common is a term in the collection? The index answers.

export interface CollectionStatistics {
  /** Chunks in the collection. */
  readonly documents: number;
  /** Mean number of terms in a chunk. */
  readonly averageLength: number;
  /** Chunks that hold the term. */
  frequencyOf(term: string): number;
}

export function rarityOf(statistics: CollectionStatistics, term: string): number {
  const holding = Math.min(statistics.frequencyOf(term), statistics.documents);
  return Math.log(1 + (statistics.documents - holding + 0.5) / (holding + 0.5));
}
