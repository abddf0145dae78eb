// What a provider may still hold of earlier requests: whole prefixes up to markers, each for a while, or whatever two texts share,
// found by traces without keeping the text.

import { createHash } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import type { ContentBlocks } from '../http/content-blocks.js';

interface PrefixEnd {
  readonly digest: string;
  /** UTF-16 units of system text and prompt up to here. */
  readonly length: number;
  readonly marked: boolean;
}

interface Kept {
  until: number;
  /** As the provider counted them, where it said so. */
  tokens?: number;
}

/** A provider looks for kept prefixes this many blocks before a marker. */
const lookBack = 20;

export function prefixEnds({ system, prompt }: ContentBlocks, around: string): PrefixEnd[] {
  const hash = createHash('sha256').update(`${around.length}:${around}`);
  let length = 0;
  return [
    ...system.map((block) => ({ ...block, part: 's' })),
    ...prompt.map((block) => ({ ...block, part: block.isAnswer === true ? 'a' : 'p' })),
  ].map(({ text, marked, part }) => {
    length += text.length;
    hash.update(`${part}${text.length}:`).update(text);
    return { digest: hash.copy().digest('base64'), length, marked };
  });
}

interface MarkedPrefixes {
  /** The longest end that is kept and within reach of a marker. */
  find(ends: readonly PrefixEnd[], now: number): { end: PrefixEnd; tokens?: number } | undefined;
  keep(ends: readonly PrefixEnd[], until: number): void;
  /** The provider's own count of everything up to the last marker. */
  count(ends: readonly PrefixEnd[], tokens: number): void;
}

const maxKept = 2_000;

export function markedPrefixes(): MarkedPrefixes {
  const kept = new LRUCache<string, Kept>({ max: maxKept });
  return {
    find(ends, now) {
      for (let index = ends.length - 1; index >= 0; index -= 1) {
        const end = ends[index]!;
        const found = kept.peek(end.digest);
        const inReach = ends.slice(index, index + lookBack).some(({ marked }) => marked);
        if (found !== undefined && found.until > now && inReach)
          return { end, ...(found.tokens === undefined ? {} : { tokens: found.tokens }) };
      }
      return undefined;
    },
    keep(ends, until) {
      for (const { digest, marked } of ends) {
        const before = kept.peek(digest);
        if (marked || before !== undefined) kept.set(digest, { ...before, until });
      }
    },
    count(ends, tokens) {
      const last = ends.findLast(({ marked }) => marked);
      const found = last === undefined ? undefined : kept.peek(last.digest);
      if (found !== undefined && tokens > 0) found.tokens = tokens;
    },
  };
}

/** Characters between two points of a trace. */
const stride = 4;

/**
 * Where do two texts begin to differ, when only traces of them are kept? A trace holds a running hash every few characters.
 */
export type PrefixTrace = Uint32Array;

export function traceOf(text: string): PrefixTrace {
  const trace = new Uint32Array(Math.floor(text.length / stride));
  let hash = 0x811c9dc5;
  for (let index = 0; index < trace.length * stride; index += 1) {
    hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193);
    hash ^= hash >>> 15;
    if (index % stride === stride - 1) trace[(index - stride + 1) / stride] = hash;
  }
  return trace;
}

/** Characters that both texts share from the start, to within a few. */
export function sharedStart(left: PrefixTrace, right: PrefixTrace): number {
  let same = 0;
  let different = Math.min(left.length, right.length) + 1;
  while (different - same > 1) {
    const middle = (same + different) >>> 1;
    if (left[middle - 1] === right[middle - 1]) same = middle;
    else different = middle;
  }
  return same * stride;
}
