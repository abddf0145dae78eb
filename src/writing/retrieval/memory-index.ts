// A small index for one process: the same terms and the same scoring as behind a store, without the store.
import { weighQuery } from './query.js';
import { type Candidate, type RankedChunk, scoreTokens, sortRanked } from './rank-chunks.js';
import { type CollectionStatistics, collectStatistics } from './statistics.js';
import { queryTermsOf } from './terms.js';
import { type Token, tokensOf } from './tokens.js';

export interface MemoryIndex {
  readonly statistics: CollectionStatistics;
  search(query: string, options?: { readonly limit?: number }): RankedChunk[];
}

export function createMemoryIndex(chunks: readonly Candidate[]): MemoryIndex {
  const statistics = collectStatistics(chunks.map((chunk) => chunk.text));
  const tokens: Token[][] = chunks.map((chunk) => tokensOf(chunk.text));
  const postings = new Map<string, number[]>();
  tokens.forEach((list, index) => {
    for (const term of new Set(list.map((token) => token.term))) {
      const holders = postings.get(term);
      if (holders === undefined) postings.set(term, [index]);
      else holders.push(index);
    }
  });
  return {
    statistics,
    search(query, { limit = 200 } = {}) {
      const weighed = weighQuery(query, statistics);
      const found = new Set(queryTermsOf(query).flatMap((term) => postings.get(term) ?? []));
      const ranked = [...found].map((index) => ({
        id: chunks[index]!.id,
        score: scoreTokens(tokens[index]!, weighed, statistics.averageLength),
      }));
      return sortRanked(ranked).slice(0, limit);
    },
  };
}
