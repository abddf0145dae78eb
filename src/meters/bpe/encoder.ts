// What a byte-pair encoding must offer so that it can be counted; pre-tokens are found elsewhere.
import { mergeBytePairs } from './merge-byte-pairs.js';
import { createVocabulary, type TokenBytes } from './vocabulary.js';

export type EncodingName = 'o200k_base' | 'cl100k_base';

export interface Encoder {
  /** Merges the whole text as one pre-token; quadratic in its length. Special tokens are ordinary text. */
  merge(text: string): ArrayLike<number>;
  /** How many bytes a token stands for. */
  bytesOf(token: number): number;
}

const utf8 = new TextEncoder();

export function createEncoder(tokens: TokenBytes): Encoder {
  const vocabulary = createVocabulary(tokens);
  let room = new Uint8Array(1024);
  return {
    merge(text) {
      // A UTF-16 unit never takes more than three bytes.
      if (text.length * 3 > room.length) room = new Uint8Array(text.length * 3);
      const { written } = utf8.encodeInto(text, room);
      return mergeBytePairs(room, written, vocabulary);
    },
    bytesOf: vocabulary.sizeOf,
  };
}
