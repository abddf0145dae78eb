// A tree of its own for an agent: the repository as it stands now, what is not committed included, checked out in another place; and
// what the agent made of it, as a patch. The user's index, branches and files are not touched.
import { randomBytes } from 'node:crypto';
import { copyFile, lstat, rm, stat, utimes } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { GalleyError } from '../../core/model/error.js';
import { patchFlags } from '../../git/patch/stream-patches.js';
import { userEnvironment } from '../../git/process/environment.js';
import { pathText, splitRecords } from '../../git/process/records.js';
import { askGit, type GitPlace, readGit, streamGit } from '../../git/process/run-git.js';
import { addSubmodules, changedSubmodules } from './submodules.js';

export interface RaceTree {
  /** The top of the work tree. */
  readonly topLevel: string;
  /** Of this work tree, where it is a linked one. */
  readonly gitDirectory: string;
  /** Where one works below the top, with a slash behind it; empty at the top. */
  readonly prefix: string;
}

export const gitAt = (folder: string, more: Readonly<Record<string, string>> = {}): GitPlace => ({
  folder,
  // Hooks of the repository belong to what its people do, not to a copy of it.
  settings: ['-c', 'core.hooksPath=/dev/null', '-c', 'gc.auto=0', '-c', 'advice.addEmbeddedRepo=false'],
  environment: { ...userEnvironment(), ...identity, ...more },
});

/** Commits of ours stand on no branch; git wants a name all the same. */
const identity = Object.fromEntries(
  ['AUTHOR', 'COMMITTER'].flatMap((who) => [
    [`GIT_${who}_NAME`, 'Galley'],
    [`GIT_${who}_EMAIL`, 'galley@localhost'],
  ]),
);

export async function raceTree(folder: string): Promise<RaceTree> {
  const place = gitAt(folder);
  const inside = await askGit(place, ['rev-parse', '--is-inside-work-tree']);
  if (inside !== 'true')
    throw new GalleyError(
      'NOT_A_REPOSITORY',
      'A race needs a work tree; go to a folder of a git repository.',
    );
  const ask = async (what: string) => (await askGit(place, ['rev-parse', what])) ?? '';
  return {
    topLevel: await ask('--show-toplevel'),
    gitDirectory: await ask('--absolute-git-dir'),
    prefix: await ask('--show-prefix'),
  };
}

/** A commit of the tree as it stands, HEAD itself where nothing is uncommitted; and what is too large to be in it. */
export async function commitOfTree({
  topLevel,
  gitDirectory,
}: RaceTree): Promise<{ readonly commit: string; readonly left: string[] }> {
  const head = await askGit(gitAt(topLevel), ['rev-parse', '--verify', '--quiet', 'HEAD^{commit}'], {
    accept: [1],
  });
  if (head === undefined)
    throw new GalleyError(
      'REVISION_NOT_FOUND',
      'There is no commit yet to start from; commit something first.',
    );
  const index = join(gitDirectory, `galley-index-${randomBytes(6).toString('hex')}`);
  const own = gitAt(topLevel, { GIT_INDEX_FILE: index });
  try {
    await copyIndex(join(gitDirectory, 'index'), index);
    const left = await stageAll(own);
    return { commit: await commitOf(own, head), left };
  } finally {
    await Promise.all([index, `${index}.lock`].map((path) => rm(path, { force: true })));
  }
}

/** Git trusts what it noted of a file only where the file is older than the index. */
async function copyIndex(from: string, to: string): Promise<void> {
  const found = await stat(from).catch(() => undefined);
  if (found === undefined) return;
  await copyFile(from, to);
  const second = Math.floor(found.mtimeMs / 1000) - 1;
  await utimes(to, second, second);
}

/** What is committed nowhere and larger would stay in the object store for weeks. */
const maxUntracked = 50 * 1024 * 1024;

/** Everything but large files that nobody tracks, which it names. */
async function stageAll(place: GitPlace): Promise<string[]> {
  const top = Buffer.from(`${place.folder}/`);
  const rest: Buffer[] = [];
  const large: string[] = [];
  const listed = streamGit(place, ['ls-files', '--others', '--exclude-standard', '-z']);
  for await (const records of splitRecords(listed))
    for (const path of records) {
      const found = await lstat(Buffer.concat([top, path])).catch(() => undefined);
      if (found?.isFile() && found.size > maxUntracked) large.push(pathText(path));
      else if (found !== undefined) rest.push(path, Buffer.of(0));
    }
  if (large.length === 0) await readGit(place, ['add', '-A']);
  else {
    await readGit(place, ['add', '-u']);
    const named = ['add', '--pathspec-from-file=-', '--pathspec-file-nul'];
    if (rest.length > 0) await readGit(place, named, { input: rest });
  }
  return large;
}

/** What the index holds as a commit behind another, or that one where they are the same. */
async function commitOf(place: GitPlace, parent: string): Promise<string> {
  const tree = (await askGit(place, ['write-tree'])) ?? '';
  const before = await askGit(place, ['rev-parse', `${parent}^{tree}`]);
  if (tree === before) return parent;
  const args = ['commit-tree', tree, '-p', parent, '-m', 'The tree as it stood'];
  return (await askGit(place, args)) ?? '';
}

export async function addWorktree({ topLevel }: RaceTree, path: string, base: string): Promise<void> {
  await readGit(gitAt(topLevel), ['worktree', 'add', '--quiet', '--detach', path, base]);
  await addSubmodules({ from: topLevel, to: path, commit: base, gitAt });
}

/** Also what is left of one that was never finished, or that somebody deleted. */
export async function removeWorktree({ topLevel }: RaceTree, path: string): Promise<void> {
  const args = ['worktree', 'remove', '--force', '--force', path];
  await readGit(gitAt(topLevel), args).catch(() => undefined);
  await rm(path, { recursive: true, force: true, maxRetries: 3 });
}

export interface ChangedFile {
  readonly path: string;
  readonly added: number;
  readonly removed: number;
  readonly binary: boolean;
}

export interface AgentWork {
  /** Behind the base; the base itself where nothing changed. */
  readonly commit: string;
  readonly files: readonly ChangedFile[];
  /** As git applies it; binary files whole. */
  readonly patch: Buffer;
  /** New files that are too large to be in it. */
  readonly left: readonly string[];
  /** Submodules in which it changed something, which is not in it either. */
  readonly submodules: readonly string[];
}

/** What an agent left in its worktree: committed, staged or neither, new files too; what is ignored stays out. */
export async function workOf(
  path: string,
  { topLevel, prefix, base }: Pick<RaceTree, 'topLevel' | 'prefix'> & { readonly base: string },
): Promise<AgentWork> {
  // An agent that removed its `.git` must not have us write into a repository around it.
  const place = gitAt(path, { GIT_CEILING_DIRECTORIES: dirname(path) });
  const left = await stageAll(place);
  const commit = await commitOf(place, base);
  const between = [base, commit, '--', ...(prefix === '' ? [] : [prefix])];
  const files: ChangedFile[] = [];
  const counted = streamGit(place, [
    'diff-tree',
    '-r',
    '-z',
    '--numstat',
    ...patchFlags.slice(2),
    '--ignore-submodules=all',
    ...between,
  ]);
  for await (const records of splitRecords(counted)) files.push(...records.map(countOf));
  const submodules = await changedSubmodules({ from: topLevel, to: path, commit: base, gitAt });
  const patch = [
    'diff-tree',
    '-p',
    '--binary',
    '--full-index',
    ...patchFlags,
    '--ignore-submodules=all',
    ...between,
  ];
  const { output } = files.length === 0 ? { output: Buffer.alloc(0) } : await readGit(place, patch);
  return { commit, files, patch: output, left, submodules };
}

function countOf(record: Buffer): ChangedFile {
  const [added = '', removed = ''] = record.toString('latin1').split('\t');
  const path = pathText(record.subarray(added.length + removed.length + 2));
  return { path, added: Number(added) || 0, removed: Number(removed) || 0, binary: added === '-' };
}

/** Whether the patch would go on, whole, as the tree is now. */
export async function wouldApply(
  topLevel: string,
  patch: Buffer,
  direction: 'forward' | 'reverse' = 'forward',
): Promise<boolean> {
  const reverse = direction === 'reverse' ? ['--reverse'] : [];
  const call = { input: [patch], accept: [1, 128] };
  return (await readGit(gitAt(topLevel), [...applying, '--check', ...reverse], call)).exit === 0;
}

/** All of it or nothing; git refuses to write over a file it did not expect, or through a link. */
export async function applyPatch(topLevel: string, patch: Buffer): Promise<void> {
  await readGit(gitAt(topLevel), applying, { input: [patch] });
}

const applying = ['-c', 'apply.ignoreWhitespace=no', 'apply', '--binary', '--whitespace=nowarn'];

/** Which paths differ between two commits. */
export async function pathsBetween(topLevel: string, from: string, to: string): Promise<Set<string>> {
  const args = ['diff-tree', '-r', '-z', '--name-only', '--no-renames', from, to];
  const { output } = await readGit(gitAt(topLevel), args);
  return new Set(
    output
      .toString('utf8')
      .split('\0')
      .filter((path) => path !== ''),
  );
}
