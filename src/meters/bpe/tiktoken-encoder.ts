// The WebAssembly encoder. The one without a pre-tokeniser is made on the first very long run.
import { createRequire } from 'node:module';
import type { Tiktoken } from 'tiktoken/lite';
import type { Encoder, EncodingName } from './encoder.js';

interface Vocabulary {
  readonly bpe_ranks: string;
  readonly special_tokens: Record<string, number>;
  readonly pat_str: string;
}

const require = createRequire(import.meta.url);

export async function loadTiktokenEncoder(encoding: EncodingName): Promise<Encoder> {
  const { Tiktoken } = await import('tiktoken/lite');
  const vocabulary: Vocabulary = require(`tiktoken/encoders/${encoding}.json`);
  const ordinary = new Tiktoken(vocabulary.bpe_ranks, vocabulary.special_tokens, vocabulary.pat_str);
  let merging: Tiktoken | undefined;
  const sizes = new Uint8Array(0x40000);
  return {
    encode: (text) => ordinary.encode_ordinary(text),
    merge(text) {
      merging ??= new Tiktoken(vocabulary.bpe_ranks, {}, '[\\s\\S]+');
      return merging.encode_ordinary(text);
    },
    bytesOf(token) {
      const known = sizes[token]!;
      if (known > 0) return known;
      const size = ordinary.decode_single_token_bytes(token).length;
      sizes[token] = size;
      return size;
    },
  };
}
