// What a byte-pair encoding must offer so that it can be counted: with its pre-tokeniser and without.

export type EncodingName = 'o200k_base' | 'cl100k_base';

export interface Encoder {
  /** Pre-tokenises and merges; quadratic in the longest pre-token. Special tokens are ordinary text. */
  encode(text: string): ArrayLike<number>;
  /** Merges the whole text as one pre-token. */
  merge(text: string): ArrayLike<number>;
  /** How many bytes a token stands for. */
  bytesOf(token: number): number;
}
