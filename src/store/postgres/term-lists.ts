// How terms are kept: one that several chunks of a document hold is a packed list of them, one row for all; the others stand with
// their chunk, under an index. So a common term, which most chunks hold, is read in a few rows instead of one for each chunk, and
// a rare one costs no row of its own.
import { Buffer } from 'node:buffer';

/** From so many holders in one document on, a list takes less room and time than its chunks one by one. */
const leastListed = 4;

/** A chunk with its number, how many terms it has in all, and how often it holds each. */
export interface CountedChunk {
  readonly number: number;
  readonly length: number;
  readonly counts: ReadonlyMap<string, number>;
}

export interface TermList {
  readonly term: string;
  readonly holders: number;
  /** Number of the chunk less that of the one before (of the block, for the first), count and length of each holder. */
  readonly packed: Buffer;
}

/** What stays with a chunk. */
export interface LooseTerms {
  readonly number: number;
  readonly length: number;
  readonly terms: readonly string[];
  /** How often those that are there several times, as JSON. */
  readonly repeated: string | null;
}

export interface DividedTerms {
  /** The smallest number; lists begin to count there. */
  readonly block: number;
  readonly lists: readonly TermList[];
  readonly loose: readonly LooseTerms[];
}

export function divideTerms(chunks: readonly CountedChunk[]): DividedTerms {
  const inOrder = [...chunks].sort((left, right) => left.number - right.number);
  const block = inOrder[0]?.number ?? 0;
  const holders = new Map<string, number>();
  for (const { counts } of inOrder)
    for (const term of counts.keys()) holders.set(term, (holders.get(term) ?? 0) + 1);
  const isListed = (term: string) => (holders.get(term) ?? 0) >= leastListed;

  const lists = new Map<string, { bytes: number[]; last: number }>();
  const loose = inOrder.map(({ number, length, counts }) => {
    const terms: string[] = [];
    const repeated: [string, number][] = [];
    for (const [term, count] of counts) {
      if (isListed(term)) {
        const list = lists.get(term) ?? { bytes: [], last: block };
        lists.set(term, list);
        for (const each of [number - list.last, count, length]) addInteger(list.bytes, each);
        list.last = number;
      } else {
        terms.push(term);
        if (count > 1) repeated.push([term, count]);
      }
    }
    const told = repeated.length === 0 ? null : JSON.stringify(Object.fromEntries(repeated));
    return { number, length, terms, repeated: told };
  });
  return {
    block,
    loose,
    lists: [...lists].map(([term, { bytes }]) => ({
      term,
      holders: holders.get(term) ?? 0,
      packed: Buffer.from(bytes),
    })),
  };
}

/** Seven bits a byte, the lowest first; the last byte has no eighth bit. */
function addInteger(bytes: number[], value: number): void {
  let rest = value;
  for (; rest >= 128; rest = Math.floor(rest / 128)) bytes.push((rest % 128) + 128);
  bytes.push(rest);
}

/** Tells of every holder in lists that stand one behind the other, each behind its block (8 bytes) and holders (4). */
export function readLists(
  packed: Buffer,
  tell: (chunk: number, count: number, length: number) => void,
): void {
  let at = 0;
  const integer = () => {
    const first = packed[at++] as number;
    return first < 128 ? first : first - 128 + higher();
  };
  const higher = () => {
    let value = 0;
    for (let place = 128; ; place *= 128) {
      const byte = packed[at++] as number;
      if (byte < 128) return value + byte * place;
      value += (byte - 128) * place;
    }
  };
  while (at < packed.length) {
    let number = Number(packed.readBigInt64BE(at));
    const holders = packed.readInt32BE(at + 8);
    at += 12;
    for (let nth = 0; nth < holders; nth += 1) {
      number += integer();
      tell(number, integer(), integer());
    }
  }
}
