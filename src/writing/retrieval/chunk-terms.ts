// Which terms stand where in a chunk? In a compact form that is worth keeping: cutting a text into terms costs far more than
// scoring them, and a chunk that was found once is usually found again.
import { LRUCache } from 'lru-cache';
import { tokensOf } from './tokens.js';

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
  const tokens = tokensOf(text).map(({ term, place }) => ({ key: termKey(term), place }));
  tokens.sort((a, b) => a.key - b.key || a.place - b.place);
  const terms = {
    keys: Float64Array.from(tokens, ({ key }) => key),
    places: Uint32Array.from(tokens, ({ place }) => place),
  };
  kept.set(contentHash, terms);
  return terms;
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
