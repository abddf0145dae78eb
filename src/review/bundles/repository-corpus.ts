// A repository as ranking asks for it: source files of the new tree, words in it, and the history behind its base.
import { isGalleyError } from '../../core/model/error.js';
import { pathText, splitRecords } from '../../git/process/records.js';
import { streamGit } from '../../git/process/run-git.js';
import type { Repository } from '../../git/repository/open-repository.js';
import type { Corpus, PastCommit } from '../related/corpus-port.js';
import type { Lexicon } from '../related/lexicon.js';
import { makeCorpus } from '../related/make-corpus.js';
import { countWords } from './count-words.js';
import type { TreeLibrary } from './tree-library.js';

export interface CorpusPlace {
  readonly library: TreeLibrary;
  readonly lexicon: Lexicon;
  /** The commit whose past may be asked; absent where there is none. */
  readonly past: string | undefined;
  readonly signal?: AbortSignal | undefined;
}

const sourceFile = /\.(?:[cm]?[jt]sx?|py|go|svelte|vue|rs|java|kt|rb|php|cs|c|h|cc|cpp|hpp|swift|scala)$/u;
const mostCommits = 400;
const mostPaths = 200;

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
          return await readHistory(repository, past, { paths, signal });
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

async function readHistory(
  repository: Repository,
  commit: string,
  question: { readonly paths: readonly string[]; readonly signal: AbortSignal | undefined },
): Promise<PastCommit[]> {
  const flags = ['--no-merges', '--no-renames', '--name-only', '--full-diff', '--format=%x01%ct'];
  const paths = question.paths.slice(0, mostPaths);
  const args = ['log', '-z', `--max-count=${mostCommits}`, ...flags, commit, '--', ...paths];
  const commits: { time: number; paths: string[] }[] = [];
  const stream = streamGit(repository.cleanRoom, args, { signal: question.signal });
  for await (const records of splitRecords(stream))
    for (const record of records) {
      const text = pathText(record).replace(/^\n/, '');
      if (text.startsWith('\u0001')) commits.push({ time: Number(text.slice(1).trim()), paths: [] });
      else if (text !== '') commits.at(-1)?.paths.push(text);
    }
  return commits;
}
