// Byte-pair encoding of one pre-token: a flat table over all tokens, and the merge of the neighbours with the lowest rank.

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

const never = 0x7fffffff;

/**
 * Byte-pair encoding itself: the neighbours with the lowest rank merge first, the leftmost of equals before the rest.
 * Meant for pre-tokens of bounded length.
 */
function mergeBytePairs(bytes: Uint8Array, size: number, vocabulary: Vocabulary): number[] {
  const whole = vocabulary.tokenOf(bytes, 0, size);
  if (whole >= 0) return [whole];
  const starts = new Int32Array(size + 1);
  const ranks = new Int32Array(size + 1);
  let parts = size;
  const rankAt = (part: number): number => {
    if (part + 2 > parts) return never;
    const rank = vocabulary.tokenOf(bytes, starts[part]!, starts[part + 2]!);
    return rank < 0 ? never : rank;
  };
  for (let part = 0; part <= size; part += 1) starts[part] = part;
  for (let part = 0; part < size; part += 1) ranks[part] = rankAt(part);
  for (;;) {
    let lowest = never;
    let at = -1;
    for (let part = 0; part < parts - 1; part += 1) {
      if (ranks[part]! < lowest) {
        lowest = ranks[part]!;
        at = part;
      }
    }
    if (at < 0) break;
    starts.copyWithin(at + 1, at + 2, parts + 1);
    ranks.copyWithin(at + 1, at + 2, parts);
    parts -= 1;
    ranks[at] = rankAt(at);
    if (at > 0) ranks[at - 1] = rankAt(at - 1);
  }
  const tokens: number[] = [];
  for (let part = 0; part < parts; part += 1) {
    tokens.push(vocabulary.tokenOf(bytes, starts[part]!, starts[part + 1]!));
  }
  return tokens;
}

export interface TokenBytes {
  /** All tokens behind one another, in the order of their numbers, which is the order in which they merge. */
  readonly bytes: Uint8Array;
  /** Where each ends. */
  readonly ends: Uint32Array;
}

interface Vocabulary {
  /** -1 where none does. */
  tokenOf(text: Uint8Array, start: number, end: number): number;
  sizeOf(token: number): number;
}

/**
 * Which token stands for a run of bytes? A flat table over all tokens: made in milliseconds, and asked without making a string.
 */
function createVocabulary({ bytes, ends }: TokenBytes): Vocabulary {
  // At most half full, so that a search soon meets a gap.
  const mask = 2 ** Math.ceil(Math.log2(ends.length * 2 + 1)) - 1;
  // One more than the token, since zero is a gap.
  const slots = new Int32Array(mask + 1);
  for (let token = 0, start = 0; token < ends.length; token += 1) {
    const end = ends[token]!;
    let slot = hashOf(bytes, start, end) & mask;
    while (slots[slot] !== 0) slot = (slot + 1) & mask;
    slots[slot] = token + 1;
    start = end;
  }
  const startOf = (token: number): number => (token === 0 ? 0 : ends[token - 1]!);
  return {
    tokenOf(text, start, end) {
      let slot = hashOf(text, start, end) & mask;
      for (let found = slots[slot]!; found !== 0; found = slots[slot]!) {
        const from = startOf(found - 1);
        let same = ends[found - 1]! - from === end - start ? start : Infinity;
        while (same < end && text[same] === bytes[from + same - start]) same += 1;
        if (same === end) return found - 1;
        slot = (slot + 1) & mask;
      }
      return -1;
    },
    sizeOf: (token) => (token < ends.length ? ends[token]! - startOf(token) : 0),
  };
}

function hashOf(bytes: Uint8Array, start: number, end: number): number {
  let hash = 0x811c9dc5;
  for (let index = start; index < end; index += 1) hash = Math.imul(hash ^ bytes[index]!, 0x01000193);
  return hash ^ (hash >>> 15);
}
