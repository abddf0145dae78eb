// The same encodings without WebAssembly, slower: the fallback where the fast one does not load. Only the vocabulary
// comes from outside; pre-tokens and merges are our own, so that both agree on every character.
import type { Encoder, EncodingName } from './encoder.js';
import { mergeBytePairs } from './merge-byte-pairs.js';
import { preTokenEnd } from './pre-token.js';

export async function loadJavascriptEncoder(encoding: EncodingName): Promise<Encoder> {
  const vocabulary = await loadVocabulary(encoding);
  const ranks = new Map<string, number>();
  const sizes = new Uint8Array(vocabulary.length);
  vocabulary.forEach((entry, token) => {
    const bytes = typeof entry === 'string' ? latin1Of(entry) : Buffer.from(entry).toString('latin1');
    ranks.set(bytes, token);
    sizes[token] = bytes.length;
  });
  return {
    encode(text) {
      const tokens: number[] = [];
      for (let start = 0; start < text.length; ) {
        const end = preTokenEnd(text, start, encoding);
        for (const token of mergeBytePairs(latin1Of(text.slice(start, end)), ranks)) tokens.push(token);
        start = end;
      }
      return tokens;
    },
    merge: (text) => mergeBytePairs(latin1Of(text), ranks),
    bytesOf: (token) => sizes[token] ?? 0,
  };
}

function latin1Of(text: string): string {
  for (let index = 0; index < text.length; index += 1) {
    if (text.charCodeAt(index) >= 0x80) return Buffer.from(text, 'utf8').toString('latin1');
  }
  return text;
}

async function loadVocabulary(encoding: EncodingName): Promise<readonly (string | readonly number[])[]> {
  const module =
    encoding === 'o200k_base'
      ? await import('gpt-tokenizer/bpeRanks/o200k_base')
      : await import('gpt-tokenizer/bpeRanks/cl100k_base');
  return module.default;
}
