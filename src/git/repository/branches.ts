// Which commits does a review mean when nobody says? The branch this one was cut from, where the two parted, what came last.

import { byCodePoint } from '../../core/model/code-points.js';
import { GalleyError, type Warning } from '../../core/model/error.js';
import { askGit, readGit } from '../process/run-git.js';
import type { Repository } from './open-repository.js';
import { resolveHead } from './resolve-commit.js';

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

interface MergeBase {
  readonly commit: string;
  readonly warnings: readonly Warning[];
}

/**
 * Where did two lines of history part? One answer, always the same, and a warning where the history has several or hides it.
 */
export async function findMergeBase(
  repository: Repository,
  sides: { readonly base: string; readonly head: string; readonly signal?: AbortSignal | undefined },
): Promise<MergeBase> {
  const args = ['merge-base', '--all', sides.base, sides.head];
  const { output } = await readGit(repository.cleanRoom, args, { accept: [1], signal: sides.signal });
  const commits = output.toString('latin1').split('\n').filter(Boolean).sort(byCodePoint);
  const [first] = commits;
  if (first === undefined) return withoutMergeBase(repository, sides.base);
  if (commits.length === 1) return { commit: first, warnings: [] };
  const warning: Warning = {
    code: 'MERGE_BASE_AMBIGUOUS',
    message: `The branches were merged crosswise and have ${commits.length} merge bases; the first by name is used.`,
    details: { used: first, candidates: commits },
  };
  return { commit: first, warnings: [warning] };
}

function withoutMergeBase(repository: Repository, base: string): MergeBase {
  if (!repository.shallow)
    throw new GalleyError('NO_MERGE_BASE', 'Base and head share no history; choose a base they grew from.');
  const warning: Warning = {
    code: 'SHALLOW_NO_MERGE_BASE',
    message:
      'This shallow clone does not reach the merge base; base and head are compared directly. Fetch more history for an exact review.',
  };
  return { commit: base, warnings: [warning] };
}

export interface Arrival {
  readonly id: string;
  readonly isMerge: boolean;
  /** The first line of the message, as its author wrote it: for a terminal, never for a log. */
  readonly subject: string;
}

/** Where changes are squashed, the last merge may be years back; what is older than this is no news. */
const maxCommits = 20;

/** The newest merge of this line, or the newest commit where nobody merges lately. Undefined without a commit, and where a shallow clone hides what the commit changed. */
export async function lastArrival(
  repository: Repository,
  { signal }: { readonly signal?: AbortSignal | undefined } = {},
): Promise<Arrival | undefined> {
  const head = await resolveHead(repository);
  if (head === undefined) return undefined;
  const args = ['rev-list', '--first-parent', '--parents', `--max-count=${maxCommits}`, head.id, '--'];
  const { output } = await readGit(repository.cleanRoom, args, { signal });
  const commits = output
    .toString('latin1')
    .split('\n')
    .filter(Boolean)
    .map((line) => line.split(' '));
  const merge = commits.find(([, ...parents]) => parents.length > 1);
  const [id = head.id, ...parents] = merge ?? commits[0] ?? [];
  if (parents.length === 0 && repository.shallow) return undefined;
  return { id, isMerge: merge !== undefined, subject: await subjectOf(repository, id) };
}

async function subjectOf(repository: Repository, id: string): Promise<string> {
  const [found] = await repository.objects.ask('contents', [id]);
  const text = found?.bytes?.toString('utf8') ?? '';
  const start = text.indexOf('\n\n');
  const [first = ''] = start < 0 ? [] : text.slice(start).trim().split('\n', 1);
  return first.trim();
}
