// A repository as ranking asks for it: source files of the new tree, words in it, and the history behind its base.
import { isGalleyError } from '../../core/model/error.js';
import { escapePattern } from '../../core/model/escape-pattern.js';
import { readHistory } from '../../git/objects/history.js';
import { visitTexts } from '../../git/objects/tree-files.js';
import type { Repository } from '../../git/repository/open-repository.js';
import { groupBy } from '../change/group-by.js';
import type { Corpus } from '../related/corpus.js';
import { makeCorpus } from '../related/corpus.js';
import type { Lexicon } from '../related/lexicon.js';
import type { TreeLibrary } from '../units/changed-file.js';

interface CorpusPlace {
  readonly library: TreeLibrary;
  readonly lexicon: Lexicon;
  /** The commit whose past may be asked; absent where there is none. */
  readonly past: string | undefined;
  readonly signal?: AbortSignal | undefined;
}

export const sourceFile =
  /\.(?:[cm]?[jt]sx?|py|go|svelte|vue|rs|java|kt|rb|php|cs|c|h|cc|cpp|hpp|swift|scala)$/u;
const maxCommits = 400;
const maxPaths = 200;

export function repositoryCorpus(repository: Repository, place: CorpusPlace): Corpus {
  const { library, lexicon, past, signal } = place;
  let sizes: ReadonlyMap<string, { readonly size?: number | undefined }> = new Map();
  return makeCorpus(
    {
      async paths() {
        sizes = await library.files();
        return [...sizes.keys()].filter((path) => sourceFile.test(path));
      },
      sizeOf: (path) => sizes.get(path)?.size ?? 0,
      async grep(words) {
        const files = new Map<string, string>();
        for (const [path, { blob }] of await library.files())
          if (sourceFile.test(path)) files.set(path, blob);
        return countWords(repository, { words, files, signal });
      },
      async read(paths) {
        const files = await library.open(paths);
        return new Map([...files].map(([path, { text }]) => [path, text]));
      },
      async outline(path) {
        const file = (await library.open([path])).get(path);
        const { symbols = [], imports = [] } = file?.outline ?? {};
        return { symbols, imports: imports.map(({ module }) => module) };
      },
      async history(paths) {
        if (past === undefined || paths.length === 0) return [];
        try {
          return await readHistory(repository, past, {
            commits: maxCommits,
            touching: paths.slice(0, maxPaths),
            signal,
          });
        } catch (error) {
          // Ranking without history is still ranking: shallow and partial clones have little or none.
          if (isGalleyError(error) && error.code === 'GIT_FAILED') return [];
          throw error;
        }
      },
    },
    lexicon,
  );
}

interface CountQuestion {
  readonly words: readonly string[];
  /** Blobs by path. */
  readonly files: ReadonlyMap<string, string>;
  readonly signal?: AbortSignal | undefined;
}

/** By word, then by path. All words are looked for at once, and files of equal content are read once. */
export async function countWords(
  repository: Repository,
  { words, files, signal }: CountQuestion,
): Promise<Map<string, Map<string, number>>> {
  const counts = new Map(words.map((word) => [word, new Map<string, number>()]));
  if (words.length === 0) return counts;
  const byBytes = new Map([...counts].map(([word, places]) => [latin1(word), places]));
  const pattern = patternOf([...byBytes.keys()]);
  const blobs = groupBy(files, ([, blob]) => blob);
  await visitTexts(repository, [...blobs.keys()], {
    signal,
    visit(id, bytes) {
      const times = new Map<string, number>();
      for (const word of bytes.toString('latin1').match(pattern) ?? [])
        times.set(word, (times.get(word) ?? 0) + 1);
      for (const [word, count] of times)
        for (const [path] of blobs.get(id) ?? []) byBytes.get(word)?.set(path, count);
    },
  });
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

/** A character for each byte: nothing is decoded that is not a match. */
function latin1(word: string): string {
  return Buffer.from(word, 'utf8').toString('latin1');
}
