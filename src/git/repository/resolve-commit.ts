// Which commit does a name stand for, and what does the commit itself say?
import { GalleyError } from '../../core/model/error.js';
import { nearestWord } from '../../core/model/nearest-word.js';
import { askGit } from '../process/run-git.js';
import type { Repository } from './open-repository.js';

interface Commit {
  readonly id: string;
  readonly tree: string;
  readonly parents: readonly string[];
  /** ISO 8601, UTC. */
  readonly committedAt: string;
}

/** Names to compare a misspelt one with. */
const maxNames = 5000;

/** `field` names the revision in a refusal. */
export async function resolveCommit(
  repository: Repository,
  revision: string,
  field = 'revision',
): Promise<Commit> {
  const id = await findCommit(repository, revision);
  if (id !== undefined) return readCommit(repository, id);
  const advice = await adviceOn(repository, revision);
  throw new GalleyError('REVISION_NOT_FOUND', `${field}: names no commit here; ${advice}`, {
    details: { revision: printable(revision), field },
  });
}

/** Undefined on a branch without commits. */
export async function resolveHead(repository: Repository): Promise<Commit | undefined> {
  const id = await askGit(repository.home, ['rev-parse', '--verify', '--quiet', 'HEAD'], { accept: [1] });
  return id === undefined ? undefined : readCommit(repository, id);
}

export async function readCommit(repository: Repository, id: string): Promise<Commit> {
  const [found] = await repository.objects.ask('contents', [id]);
  if (found?.type !== 'commit' || found.bytes === undefined)
    throw new GalleyError(
      'GIT_FAILED',
      'A commit of the repository is missing or damaged; git fsck names it.',
      {
        details: { command: 'cat-file', reason: 'unreadable-object' },
      },
    );
  const [head = ''] = found.bytes.toString('latin1').split('\n\n', 1);
  const fields = head.split('\n').map((line) => line.split(' '));
  const seconds = Number(/^committer .* (-?\d+) [+-]\d+$/m.exec(head)?.[1] ?? 0);
  return {
    id,
    tree: fields.find(([name]) => name === 'tree')?.[1] ?? '',
    parents: fields.flatMap(([name, value]) => (name === 'parent' && value !== undefined ? [value] : [])),
    committedAt: new Date(Math.min(Math.max(seconds, 0), 8.64e12) * 1000).toISOString(),
  };
}

/** The empty tree of either object format. */
export async function emptyTree(repository: Repository): Promise<string> {
  return (await askGit(repository.cleanRoom, ['hash-object', '-w', '-t', 'tree', '--stdin'])) ?? '';
}

async function findCommit(repository: Repository, revision: string): Promise<string | undefined> {
  // A name that could be read as an option or breaks the command line cannot be a revision.
  if (revision === '' || revision.startsWith('-') || /[\0\n]/.test(revision)) return undefined;
  // A whole id names nothing else, and the process that reads objects is there already.
  if (isFullId(revision) && (await typeOf(repository, revision)) === 'commit') return revision;
  const args = ['rev-parse', '--verify', '--quiet', '--end-of-options', `${revision}^{commit}`];
  return askGit(repository.home, args, { accept: [1, 128] });
}

async function adviceOn(repository: Repository, revision: string): Promise<string> {
  if ((await resolveHead(repository)) === undefined) return 'the branch has no commits yet.';
  const refs = ['refs/heads', 'refs/remotes', 'refs/tags'];
  const listed = await askGit(repository.home, ['for-each-ref', '--format=%(refname:short)', ...refs]);
  const meant = nearestWord(printable(revision), (listed ?? '').split('\n').slice(0, maxNames));
  if (meant !== undefined && meant !== '') return `did you mean "${printable(meant)}"?`;
  return repository.shallow
    ? 'this clone is shallow: git fetch --unshallow brings the rest.'
    : 'check its spelling or fetch it.';
}

function printable(revision: string): string {
  return revision.startsWith('/') ? '(a path)' : revision.replaceAll(/[^\x20-\x7e]/g, '?').slice(0, 200);
}

/** The tree behind a revision, or behind a tree of our own snapshots, which the repository itself does not know. */
export async function resolveTree(repository: Repository, at: string): Promise<string> {
  if (isFullId(at) && (await typeOf(repository, at)) === 'tree') return at;
  return (await resolveCommit(repository, at)).tree;
}

function isFullId(revision: string): boolean {
  return /^[0-9a-f]{40}([0-9a-f]{24})?$/.test(revision);
}

async function typeOf(repository: Repository, id: string): Promise<string | undefined> {
  const [found] = await repository.objects.ask('info', [id]);
  return found?.type;
}
