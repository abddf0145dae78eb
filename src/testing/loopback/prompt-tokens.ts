// Tokens of a text by o200k_base, straight from the vocabulary. A run without a break is cut at a fixed length, since the
// encoder needs quadratic time on it; the cut may cost a token more.
import { createHash } from 'node:crypto';
import { createRequire } from 'node:module';
import { LRUCache } from 'lru-cache';
import { Tiktoken } from 'tiktoken/lite';

interface Vocabulary {
  readonly bpe_ranks: string;
  readonly special_tokens: Record<string, number>;
  readonly pat_str: string;
}

const longestRun = 200;
const longRun = /[\p{L}\p{M}]{200,}|[^\s\p{L}\p{M}\p{N}]{200,}|\s{200,}/gu;
const slices = /[\s\S]{1,200}/gu;

let encoder: Tiktoken | undefined;
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
  encoder ??= loadEncoder();
  if (text.length < longestRun) return encoder.encode_ordinary(text);
  const parts: Uint32Array[] = [];
  let from = 0;
  for (const run of text.matchAll(longRun)) {
    parts.push(encoder.encode_ordinary(text.slice(from, run.index)));
    for (const slice of run[0].match(slices) ?? []) parts.push(encoder.encode_ordinary(slice));
    from = run.index + run[0].length;
  }
  parts.push(encoder.encode_ordinary(text.slice(from)));
  return join(parts);
}

function join(parts: readonly Uint32Array[]): Uint32Array {
  const all = new Uint32Array(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) {
    all.set(part, at);
    at += part.length;
  }
  return all;
}

function loadEncoder(): Tiktoken {
  const require = createRequire(import.meta.url);
  const vocabulary: Vocabulary = require('tiktoken/encoders/o200k_base.json');
  return new Tiktoken(vocabulary.bpe_ranks, vocabulary.special_tokens, vocabulary.pat_str);
}
