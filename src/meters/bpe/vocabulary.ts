// Which token stands for a run of bytes? A flat table over all tokens: made in milliseconds, and asked without making a string.

export interface TokenBytes {
  /** All tokens behind one another, in the order of their numbers, which is the order in which they merge. */
  readonly bytes: Uint8Array;
  /** Where each ends. */
  readonly ends: Uint32Array;
}

export interface Vocabulary {
  /** -1 where none does. */
  tokenOf(text: Uint8Array, start: number, end: number): number;
  sizeOf(token: number): number;
}

export function createVocabulary({ bytes, ends }: TokenBytes): Vocabulary {
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
