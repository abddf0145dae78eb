// What an agent did and what a person did meanwhile, merged as git merges two branches: lines that stand close to each other may
// both change, the same lines may not.
import { randomBytes } from 'node:crypto';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { patchFlags } from '../../git/patch/stream-patches.js';
import { askGit, readGit } from '../../git/process/run-git.js';
import { gitAt, type RaceTree } from './worktree.js';

interface TwoWorks {
  /** What both began with. */
  readonly base: string;
  /** The tree as it stands. */
  readonly commit: string;
  /** What the agent made of the base. */
  readonly patch: Buffer;
}

/** The patch that brings the tree as it stands to what both make together; nothing where they cannot be merged. */
export async function mergedPatch(
  { topLevel, gitDirectory }: RaceTree,
  { base, commit, patch }: TwoWorks,
): Promise<Buffer | undefined> {
  const index = join(gitDirectory, `galley-index-${randomBytes(6).toString('hex')}`);
  const place = gitAt(topLevel, { GIT_INDEX_FILE: index });
  const onBase = async (tree: string) =>
    (await askGit(place, ['commit-tree', tree, '-p', base, '-m', 'One of two'])) ?? '';
  try {
    await readGit(place, ['read-tree', base]);
    await readGit(place, ['apply', '--cached', '--binary', '--whitespace=nowarn'], { input: [patch] });
    const theirs = await onBase((await askGit(place, ['write-tree'])) ?? '');
    const ours = await onBase((await askGit(place, ['rev-parse', `${commit}^{tree}`])) ?? '');
    // 1 where they meet in the same lines; older git does not know how.
    const args = ['merge-tree', '--write-tree', '--no-messages', ours, theirs];
    const merged = await readGit(place, args, { accept: [1, 128, 129] });
    if (merged.exit !== 0) return undefined;
    const tree = merged.output.toString('latin1').trim();
    const between = ['-p', '--binary', '--full-index', ...patchFlags, '--ignore-submodules=all', ours, tree];
    return (await readGit(place, ['diff-tree', ...between])).output;
  } finally {
    await Promise.all([index, `${index}.lock`].map((path) => rm(path, { force: true })));
  }
}
