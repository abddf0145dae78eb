// Which terms stand in which files. A blob is read and counted once in a process, so that a second question costs only its own words.
import { LRUCache } from 'lru-cache';
import { visitTexts } from '../../git/objects/tree-files.js';
import type { Repository } from '../../git/repository/open-repository.js';
import { hashTerms } from './hash-terms.js';

export interface FileWords {
  /** Terms by their number, ascending, and how often each stands there. */
  readonly terms: Int32Array;
  readonly times: Uint16Array;
  /** Those that name a definition, ascending, each once. */
  readonly defined: Int32Array;
  readonly length: number;
}

const maxTimes = 65_535;
const none = new Int32Array();
const nothing = countTerms(Buffer.alloc(0));

const counted = new LRUCache<string, FileWords>({
  maxSize: 200_000_000,
  sizeCalculation: ({ terms, defined }) => terms.length * 6 + defined.length * 4 + 300,
});

/** What is longer is data, or made by a machine: its beginning says enough. */
const maxBytes = 400_000;

/** By blob; one that is no text has no words. */
export async function countTree(
  repository: Repository,
  blobs: Iterable<string>,
  signal: AbortSignal | undefined,
): Promise<ReadonlyMap<string, FileWords>> {
  const found = new Map<string, FileWords>();
  const missing: string[] = [];
  for (const blob of new Set(blobs)) {
    const known = counted.get(blob);
    if (known === undefined) missing.push(blob);
    found.set(blob, known ?? nothing);
  }
  await visitTexts(repository, missing, {
    signal,
    visit: (blob, bytes) => void found.set(blob, countTerms(bytes.subarray(0, maxBytes))),
  });
  for (const blob of missing) counted.set(blob, found.get(blob) ?? nothing);
  return found;
}

export function countTerms(bytes: Uint8Array): FileWords {
  const { terms: all, defined, words } = hashTerms(bytes);
  all.sort();
  let distinct = 0;
  for (let at = 0; at < all.length; at += 1) if (at === 0 || all[at] !== all[at - 1]) distinct += 1;
  const terms = new Int32Array(distinct);
  const times = new Uint16Array(distinct);
  let last = -1;
  for (let at = 0; at < all.length; at += 1) {
    if (at === 0 || all[at] !== all[at - 1]) {
      last += 1;
      terms[last] = all[at]!;
    }
    if (times[last]! < maxTimes) times[last]! += 1;
  }
  const names = defined.length === 0 ? none : Int32Array.from(new Set(defined)).sort();
  return { terms, times, defined: names, length: words };
}

/** Where a number stands in an ascending list; -1 where it does not. */
export function placeOf(list: Int32Array, value: number): number {
  let low = 0;
  let high = list.length - 1;
  while (low <= high) {
    const middle = (low + high) >> 1;
    const found = list[middle]!;
    if (found === value) return middle;
    if (found < value) low = middle + 1;
    else high = middle - 1;
  }
  return -1;
}
