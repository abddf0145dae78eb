// Submodules in a worktree of its own: cloned from where the user has them checked out, so that nothing is fetched. What an agent changes
// inside of them belongs to other repositories; it is named, and not part of its work.
import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { pathText, splitRecords } from '../../git/process/records.js';
import { askGit, type GitPlace, readGit, streamGit } from '../../git/process/run-git.js';

/** Where git runs, with more variables. */
type PlaceAt = (folder: string, more?: Readonly<Record<string, string>>) => GitPlace;

interface Checkout {
  /** Of the user, and of the agent. */
  readonly from: string;
  readonly to: string;
  readonly commit: string;
  readonly gitAt: PlaceAt;
}

interface Submodule {
  readonly path: string;
  readonly commit: string;
}

/** Those that the user has not checked out stay empty here, too. */
export async function addSubmodules({ from, to, commit, gitAt }: Checkout): Promise<void> {
  for (const { path, commit: pinned } of await submodulesIn(from, { commit, gitAt })) {
    const [source, target] = [join(from, path), join(to, path)];
    const local = gitAt(from, { GIT_ALLOW_PROTOCOL: 'file' });
    await readGit(local, ['clone', '--quiet', '--local', '--no-checkout', '--', source, target]);
    await readGit(gitAt(target), ['checkout', '--quiet', '--detach', pinned]);
    await addSubmodules({ from: source, to: target, commit: pinned, gitAt });
  }
}

/** Where a file is not what it was, as the user's own repository sees it: settings that an agent may have left there are not followed. */
export async function changedSubmodules({ from, to, commit, gitAt }: Checkout): Promise<string[]> {
  const changed: string[] = [];
  for (const { path, commit: pinned } of await submodulesIn(from, { commit, gitAt })) {
    if (!existsSync(join(to, path))) changed.push(path);
    else if (await differs({ from: join(from, path), to: join(to, path), commit: pinned, gitAt }))
      changed.push(path);
  }
  return changed;
}

async function differs({ from, to, commit, gitAt }: Checkout): Promise<boolean> {
  const index = `${to}.index-${randomBytes(6).toString('hex')}`;
  const place = gitAt(from, {
    GIT_DIR: join(from, '.git'),
    GIT_WORK_TREE: to,
    GIT_INDEX_FILE: index,
  });
  try {
    await readGit(place, ['read-tree', commit]);
    return ((await askGit(place, ['status', '--porcelain', '--ignore-submodules=all'])) ?? '') !== '';
  } finally {
    await rm(index, { force: true });
  }
}

async function submodulesIn(
  folder: string,
  { commit, gitAt }: Pick<Checkout, 'commit' | 'gitAt'>,
): Promise<Submodule[]> {
  const found: Submodule[] = [];
  const tree = streamGit(gitAt(folder), ['ls-tree', '-r', '-z', '--full-tree', commit]);
  for await (const records of splitRecords(tree))
    for (const record of records) {
      const end = record.indexOf(tab);
      const [mode, , id = ''] = record.toString('latin1', 0, end).split(' ');
      const path = pathText(record.subarray(end + 1));
      if (mode === gitlink && existsSync(join(folder, path, '.git'))) found.push({ path, commit: id });
    }
  return found;
}

const tab = 9;
const gitlink = '160000';
