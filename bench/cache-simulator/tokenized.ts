// A prompt as tokens, and how many of them lie before a byte offset.
import { get_encoding, type Tiktoken } from 'tiktoken';

export interface Tokenized {
  readonly ids: Uint32Array;
  /** Whole tokens within the first `offset` bytes. */
  tokensBefore(offset: number): number;
}

let encoding: Tiktoken | undefined;
const sizes = new Map<number, number>();

export function tokenize(bytes: Uint8Array): Tokenized {
  encoding ??= get_encoding('o200k_base');
  const ids = encoding.encode_ordinary(new TextDecoder().decode(bytes));
  const ends = new Uint32Array(ids.length);
  let end = 0;
  for (const [index, id] of ids.entries()) {
    let size = sizes.get(id);
    if (size === undefined) {
      size = encoding.decode_single_token_bytes(id).length;
      sizes.set(id, size);
    }
    end += size;
    ends[index] = end;
  }
  return { ids, tokensBefore: (offset) => countUpTo(ends, offset) };
}

function countUpTo(ends: Uint32Array, offset: number): number {
  let low = 0;
  let high = ends.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (ends[middle]! <= offset) low = middle + 1;
    else high = middle;
  }
  return low;
}
