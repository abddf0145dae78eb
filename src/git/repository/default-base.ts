// Against which branch is a review meant when nobody says? The branch this one was cut from, as far as refs tell.
import { askGit, readGit } from '../process/run-git.js';
import type { Repository } from './open-repository.js';

const candidates = [
  'refs/remotes/upstream/HEAD',
  'refs/remotes/origin/HEAD',
  'refs/remotes/upstream/main',
  'refs/remotes/upstream/master',
  'refs/remotes/origin/main',
  'refs/remotes/origin/master',
  'refs/heads/main',
  'refs/heads/master',
];

export async function defaultBase(repository: Repository): Promise<string | undefined> {
  const format = '%(refname)%00%(symref)%00%(objecttype)';
  const [current, { output }] = await Promise.all([
    askGit(repository.home, ['symbolic-ref', '--quiet', 'HEAD'], { accept: [1] }),
    readGit(repository.home, ['for-each-ref', `--format=${format}`, ...candidates]),
  ]);
  const tracked = current === undefined ? undefined : await trackedBranch(repository, current);
  // A branch that tracks its own copy says nothing about where it will be merged.
  if (tracked !== undefined && !tracked.endsWith(`/${shortName(current ?? '')}`)) return shortName(tracked);
  const rows = output.toString('utf8').split('\n').filter(Boolean);
  const present = new Map(
    rows.map((row) => row.split('\0') as [string, string, string]).map((row) => [row[0], row[1]]),
  );
  const found = candidates.find((name) => name !== current && present.has(name));
  return found === undefined ? undefined : shortName(present.get(found) || found);
}

async function trackedBranch(repository: Repository, branch: string): Promise<string | undefined> {
  const tracked = await askGit(repository.home, ['for-each-ref', '--format=%(upstream)', branch]);
  if (tracked === undefined) return undefined;
  return askGit(repository.home, ['for-each-ref', '--format=%(refname)', tracked]);
}

function shortName(ref: string): string {
  return ref.replace(/^refs\/(heads|remotes)\//, '');
}
