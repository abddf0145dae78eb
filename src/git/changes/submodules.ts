// What do submodules hold, and have they changes of their own? Git would find out by starting itself in each of them, under the
// settings of the submodule. So it is kept from looking, and each submodule is opened here like any other repository.
import { lstat, realpath } from 'node:fs/promises';
import { join } from 'node:path';
import { pathText, splitRecords } from '../process/records.js';
import { type GitPlace, readGit, streamGit } from '../process/run-git.js';
import { openRepository, type Repository } from '../repository/open-repository.js';
import { resolveHead } from '../repository/resolve-commit.js';

export interface Submodule {
  readonly path: Buffer;
  /** The one the index names. */
  readonly commit: string;
}

export interface SubmoduleState {
  /** Absent without a commit of its own. */
  readonly head?: string;
  readonly dirty: boolean;
}

/** One look at the index: the paths in conflict, and the submodules. */
export async function listSpecialPaths(
  place: GitPlace,
): Promise<{ unmerged: Map<string, Buffer>; submodules: Submodule[] }> {
  const unmerged = new Map<string, Buffer>();
  const submodules: Submodule[] = [];
  for await (const records of splitRecords(streamGit(place, ['ls-files', '-s', '-z'])))
    for (const record of records) {
      const tab = record.indexOf(9);
      const inConflict = record[tab - 1] !== 48;
      // Most paths are neither, and there may be very many.
      if (!inConflict && record[1] !== 54) continue;
      const path = Buffer.from(record.subarray(tab + 1));
      if (inConflict) unmerged.set(path.toString('hex'), path);
      else submodules.push({ path, commit: record.toString('latin1', 7, tab - 2) });
    }
  return { unmerged, submodules };
}

/** Those with something in their folder, marked in the index as not to be looked at. */
export async function hideSubmodules(
  { topLevel = '' }: Repository,
  place: GitPlace,
  submodules: readonly Submodule[],
): Promise<Submodule[]> {
  const present: Submodule[] = [];
  for (const submodule of submodules) {
    const folder = Buffer.concat([Buffer.from(`${topLevel}/`), submodule.path]);
    const inside = await lstat(Buffer.concat([folder, Buffer.from('/.git')])).catch(() => undefined);
    if (inside !== undefined && (await lstat(folder)).isDirectory()) present.push(submodule);
  }
  const input = present.flatMap(({ path }) => [path, '\0']);
  if (input.length > 0)
    await readGit(place, ['update-index', '--assume-unchanged', '-z', '--stdin'], { input });
  return present;
}

/** Undefined when it cannot be read. */
export async function submoduleState(
  { topLevel = '' }: Repository,
  path: Buffer,
  signal: AbortSignal | undefined,
): Promise<SubmoduleState | undefined> {
  const folder = join(topLevel, pathText(path));
  const repository = await openRepository(folder).catch(() => undefined);
  if (repository === undefined) return undefined;
  try {
    // What stands elsewhere is somebody else's: of the repository around it, or wherever its config points to.
    if (repository.topLevel !== (await realpath(folder))) return undefined;
    const head = (await resolveHead(repository))?.id;
    const dirty = await hasChanges(repository, signal);
    return { dirty, ...(head === undefined ? {} : { head }) };
  } finally {
    await repository.close();
  }
}

async function hasChanges(repository: Repository, signal: AbortSignal | undefined): Promise<boolean> {
  const args = ['status', '--porcelain=2', '-z', '--untracked-files=normal', '--ignore-submodules=all'];
  const { output } = await readGit(repository.home, args, { signal });
  if (output.length > 0) return true;
  const { submodules } = await listSpecialPaths(repository.home);
  for (const { path, commit } of submodules) {
    const inner = join(repository.topLevel ?? '', pathText(path), '.git');
    if ((await lstat(inner).catch(() => undefined)) === undefined) continue;
    const state = await submoduleState(repository, path, signal);
    if (state === undefined || state.dirty || (state.head ?? commit) !== commit) return true;
  }
  return false;
}
