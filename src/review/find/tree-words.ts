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

// An open table of terms and how often each was seen; empty again after every file.
let keys = new Int32Array(1 << 13);
let seen = new Int32Array(1 << 13);

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
  const terms = tally(all);
  const times = new Uint16Array(terms.length);
  for (let at = 0; at < terms.length; at += 1) {
    const slot = slotOf(terms[at]!);
    times[at] = Math.min(maxTimes, seen[slot]!);
    all[at] = slot;
  }
  for (let at = 0; at < terms.length; at += 1) seen[all[at]!] = 0;
  return { terms, times, defined: defined.length === 0 ? none : distinct(defined), length: words };
}

/** Every term once, ascending; how often it stands there is in the table then. */
function tally(all: Int32Array): Int32Array {
  if (keys.length < 2 * all.length) {
    const size = 2 ** Math.ceil(Math.log2(2 * all.length));
    keys = new Int32Array(size);
    seen = new Int32Array(size);
  }
  let count = 0;
  for (let at = 0; at < all.length; at += 1) {
    const term = all[at]!;
    const slot = slotOf(term);
    if (seen[slot] === 0) {
      keys[slot] = term;
      // What was read already is no longer needed: the distinct ones gather there.
      all[count] = term;
      count += 1;
    }
    seen[slot]! += 1;
  }
  return all.slice(0, count).sort();
}

function slotOf(term: number): number {
  const last = keys.length - 1;
  let slot = (term ^ (term >>> 15)) & last;
  while (seen[slot] !== 0 && keys[slot] !== term) slot = (slot + 1) & last;
  return slot;
}

function distinct(numbers: readonly number[]): Int32Array {
  const ordered = Int32Array.from(numbers).sort();
  let count = 0;
  for (let at = 0; at < ordered.length; at += 1)
    if (at === 0 || ordered[at] !== ordered[at - 1]) {
      ordered[count] = ordered[at]!;
      count += 1;
    }
  return ordered.slice(0, count);
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
