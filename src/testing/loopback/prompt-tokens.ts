// Tokens of a text by o200k_base, straight from the vocabulary. A run without a break is cut at a fixed length, since the
// encoder needs quadratic time on it; the cut may cost a token more.
import { createHash } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import type { Encoder } from '../../meters/bpe/encoder.js';
import { loadEncoder } from '../../meters/bpe/load-encoder.js';
import { preTokenEnd } from '../../meters/bpe/pre-token.js';
import { readVocabulary } from '../../meters/bpe/read-vocabulary.js';

const longestRun = 200;
const longRun = /[\p{L}\p{M}]{200,}|[^\s\p{L}\p{M}\p{N}]{200,}|\s{200,}/gu;
const slices = /[\s\S]{1,200}/gu;

let encoder: Encoder | undefined;
const known = new LRUCache<string, Uint32Array>({
  maxSize: 4_000_000,
  sizeCalculation: (tokens) => tokens.length + 1,
});

/** Memoised: the same layers come again with every call. */
export function promptTokens(text: string): Uint32Array {
  const key = createHash('sha256').update(text).digest('base64');
  const found = known.get(key);
  if (found !== undefined) return found;
  const tokens = encode(text);
  known.set(key, tokens);
  return tokens;
}

export function estimateTokens(text: string): number {
  return text.length > 200_000 ? Math.ceil(text.length / 4) : encode(text).length;
}

function encode(text: string): Uint32Array {
  if (text.length < longestRun) return Uint32Array.from(encodeOrdinary(text));
  const tokens: number[] = [];
  let from = 0;
  for (const run of text.matchAll(longRun)) {
    encodeOrdinary(text.slice(from, run.index), tokens);
    for (const slice of run[0].match(slices) ?? []) encodeOrdinary(slice, tokens);
    from = run.index + run[0].length;
  }
  return Uint32Array.from(encodeOrdinary(text.slice(from), tokens));
}

function encodeOrdinary(text: string, tokens: number[] = []): number[] {
  encoder ??= loadEncoder('o200k_base', readVocabulary);
  for (let start = 0; start < text.length; ) {
    const end = preTokenEnd(text, start, 'o200k_base');
    const merged = encoder.merge(text.slice(start, end));
    for (let index = 0; index < merged.length; index += 1) tokens.push(merged[index]!);
    start = end;
  }
  return tokens;
}
