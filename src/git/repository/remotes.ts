// Where a clone fetches from, and which branch it is on: read, never acted on.
import { userEnvironment } from '../process/environment.js';
import { askGit, type GitPlace, readGit } from '../process/run-git.js';

export interface CloneFacts {
  /** Addresses that git fetches from; the repository that pull requests usually go to first. */
  readonly remotes: readonly string[];
  /** Undefined on a detached head. */
  readonly branch: string | undefined;
}

const likely = ['upstream', 'origin'];

/** Nothing outside of a repository. */
export async function readClone(folder: string): Promise<CloneFacts> {
  const place: GitPlace = { folder, environment: userEnvironment(), settings: [] };
  const asked = ['config', '-z', '--get-regexp', '^remote\\..*\\.url$'];
  const { output } = await readGit(place, asked, { accept: [1, 128] });
  const found = output
    .toString('utf8')
    .split('\0')
    .filter((record) => record.includes('\n'))
    .map((record) => {
      const [key = '', url = ''] = record.split('\n', 2);
      return { name: key.slice('remote.'.length, -'.url'.length), url };
    });
  const rank = (name: string) => (likely.includes(name) ? likely.indexOf(name) : likely.length);
  const branch = await askGit(place, ['symbolic-ref', '--quiet', '--short', 'HEAD'], { accept: [1, 128] });
  return {
    remotes: found.toSorted((left, right) => rank(left.name) - rank(right.name)).map(({ url }) => url),
    branch,
  };
}
