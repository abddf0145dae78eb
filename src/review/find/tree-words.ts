// Which words stand in which files, and what past commits said of them. A blob is read and counted once in a process, so that a second
// question costs only its own words.
import { LRUCache } from 'lru-cache';
import { isGalleyError } from '../../core/model/error.js';
import { streamGit } from '../../git/process/run-git.js';
import type { Repository } from '../../git/repository/open-repository.js';
import { termsIn, termsOf } from './task-words.js';

export interface FileWords {
  /** Term ids, ascending, how often each stands there, and which of them name a definition. */
  readonly terms: Int32Array;
  readonly times: Int32Array;
  readonly defined: ReadonlySet<number>;
  readonly length: number;
}

const ids = new Map<string, number>();

export function termId(term: string): number | undefined {
  return ids.get(term);
}

function idOf(term: string): number {
  const known = ids.get(term);
  if (known !== undefined) return known;
  ids.set(term, ids.size);
  return ids.size - 1;
}

const counted = new LRUCache<string, FileWords>({
  maxSize: 160_000_000,
  sizeCalculation: ({ terms }) => terms.byteLength * 2 + 200,
});

const nothing: FileWords = {
  terms: new Int32Array(),
  times: new Int32Array(),
  defined: new Set(),
  length: 0,
};
/** What is longer is data, or made by a machine: its beginning says enough. */
const maxBytes = 400_000;
const blobsAtOnce = 64;
const sniffed = 8_000;
const identifier = /[A-Za-z_$][\w$]*/g;
const eastAsian = /[\u00e3-\u00ed][\u0080-\u00bf]{2}/;
const definition =
  /\b(?:function|class|interface|type|const|let|var|def|func|fn|struct|enum|trait|impl|module|object|record)\s+(?:\([^)\n]{0,80}\)\s*)?([A-Za-z_$][\w$]*)/g;

/** By blob. */
export async function countTree(
  repository: Repository,
  blobs: readonly string[],
  signal: AbortSignal | undefined,
): Promise<ReadonlyMap<string, FileWords>> {
  const found = new Map<string, FileWords>();
  const missing: string[] = [];
  for (const blob of new Set(blobs)) {
    const known = counted.get(blob);
    if (known === undefined) missing.push(blob);
    else found.set(blob, known);
  }
  for (let from = 0; from < missing.length; from += blobsAtOnce) {
    signal?.throwIfAborted();
    const part = missing.slice(from, from + blobsAtOnce);
    const contents = await repository.objects.ask('contents', part);
    for (const [at, blob] of part.entries()) {
      const bytes = contents[at]?.bytes?.subarray(0, maxBytes);
      const words =
        bytes === undefined || bytes.subarray(0, sniffed).includes(0) ? nothing : countWords(bytes);
      counted.set(blob, words);
      found.set(blob, words);
    }
  }
  return found;
}

function countWords(bytes: Buffer): FileWords {
  // A character for each byte: identifiers of most languages need no decoding.
  const latin = bytes.toString('latin1');
  const words = latin.match(identifier) ?? [];
  const byWord = new Map<string, number>();
  for (const word of words) byWord.set(word, (byWord.get(word) ?? 0) + 1);
  const counts = new Map<number, number>();
  const add = (term: string, times: number): void => {
    const id = idOf(term);
    counts.set(id, (counts.get(id) ?? 0) + times);
  };
  for (const [word, times] of byWord) for (const term of termsOf(word)) add(term, times);
  if (eastAsian.test(latin)) for (const term of termsIn(eastAsianOf(bytes))) add(term, 1);
  const defined = new Set<number>();
  for (const [, name = ''] of latin.matchAll(definition))
    for (const term of termsOf(name)) defined.add(idOf(term));
  const terms = Int32Array.from(counts.keys()).sort();
  return {
    terms,
    times: terms.map((term) => counts.get(term) ?? 0),
    defined,
    length: words.length,
  };
}

function eastAsianOf(bytes: Buffer): string {
  return bytes.toString('utf8').replace(/[\0-\u2fff]+/g, ' ');
}

/** How often a term stands in a file. */
export function timesIn({ terms, times }: FileWords, term: number): number {
  let low = 0;
  let high = terms.length - 1;
  while (low <= high) {
    const middle = (low + high) >> 1;
    const value = terms[middle]!;
    if (value === term) return times[middle]!;
    if (value < term) low = middle + 1;
    else high = middle - 1;
  }
  return 0;
}

export interface ToldCommit {
  readonly terms: ReadonlySet<string>;
  readonly paths: readonly string[];
}

const maxCommits = 3_000;
const maxMessage = 2_000;
const told = new LRUCache<string, readonly ToldCommit[]>({ max: 8 });

/** Newest first; none where a clone has no history to tell. */
export async function readToldCommits(
  repository: Repository,
  commit: string,
  signal: AbortSignal | undefined,
): Promise<readonly ToldCommit[]> {
  const known = told.get(commit);
  if (known !== undefined) return known;
  try {
    const commits = await readLog(repository, commit, signal);
    told.set(commit, commits);
    return commits;
  } catch (error) {
    if (isGalleyError(error) && error.code === 'GIT_FAILED') return [];
    throw error;
  }
}

async function readLog(
  repository: Repository,
  commit: string,
  signal: AbortSignal | undefined,
): Promise<ToldCommit[]> {
  const flags = ['--no-merges', '--no-renames', '--name-only', '--format=%x01%B%x02'];
  const args = ['log', '-z', `--max-count=${maxCommits}`, ...flags, commit];
  const parts: Buffer[] = [];
  for await (const part of streamGit(repository.cleanRoom, args, { signal })) parts.push(part);
  const records = Buffer.concat(parts).toString('utf8').split('\u0001').slice(1);
  return records.map((record) => {
    const [message = '', names = ''] = record.split('\u0002');
    return {
      terms: new Set(termsIn(message.slice(0, maxMessage))),
      paths: names
        .split('\u0000')
        .map((name) => name.replace(/^\n/, ''))
        .filter((name) => name !== ''),
    };
  });
}
