// How often words stand in some files of a repository. All of them are looked for at once, and files of equal content are read once.
import { escapePattern } from '../../core/model/escape-pattern.js';
import type { Repository } from '../../git/repository/open-repository.js';

export interface CountQuestion {
  readonly words: readonly string[];
  /** Blobs by path. */
  readonly files: ReadonlyMap<string, string>;
  readonly signal?: AbortSignal | undefined;
}

const blobsAtOnce = 64;
const sniffed = 8_000;

/** By word, then by path. */
export async function countWords(
  repository: Repository,
  { words, files, signal }: CountQuestion,
): Promise<Map<string, Map<string, number>>> {
  const counts = new Map(words.map((word) => [word, new Map<string, number>()]));
  if (words.length === 0) return counts;
  const byBytes = new Map([...counts].map(([word, places]) => [latin1(word), places]));
  const pattern = patternOf([...byBytes.keys()]);
  const blobs = pathsByBlob(files);
  const ids = [...blobs.keys()];
  for (let from = 0; from < ids.length; from += blobsAtOnce) {
    signal?.throwIfAborted();
    const part = ids.slice(from, from + blobsAtOnce);
    const contents = await repository.objects.ask('contents', part);
    for (const [at, id] of part.entries()) {
      const bytes = contents[at]?.bytes;
      if (bytes === undefined || bytes.subarray(0, sniffed).includes(0)) continue;
      const times = new Map<string, number>();
      for (const word of bytes.toString('latin1').match(pattern) ?? [])
        times.set(word, (times.get(word) ?? 0) + 1);
      for (const [word, count] of times)
        for (const path of blobs.get(id) ?? []) byBytes.get(word)?.set(path, count);
    }
  }
  return counts;
}

/** Whole words, the longest of those that begin alike. A boundary that the engine knows by itself is far cheaper than one we ask for. */
function patternOf(words: readonly string[]): RegExp {
  const longestFirst = words.toSorted((a, b) => b.length - a.length);
  const oneOf = (some: readonly string[]) => `(?:${some.map(escapePattern).join('|')})`;
  const plain = longestFirst.filter((word) => /^\w/.test(word));
  const others = longestFirst.filter((word) => !/^\w/.test(word));
  const branches = [
    ...(plain.length === 0 ? [] : [`\\b${oneOf(plain)}`]),
    ...(others.length === 0 ? [] : [`(?<!\\w)${oneOf(others)}`]),
  ];
  return new RegExp(`(?:${branches.join('|')})(?!\\w)`, 'g');
}

function pathsByBlob(files: ReadonlyMap<string, string>): Map<string, string[]> {
  const blobs = new Map<string, string[]>();
  for (const [path, blob] of files) {
    const known = blobs.get(blob);
    if (known === undefined) blobs.set(blob, [path]);
    else known.push(path);
  }
  return blobs;
}

/** A character for each byte: nothing is decoded that is not a match. */
function latin1(word: string): string {
  return Buffer.from(word, 'utf8').toString('latin1');
}
