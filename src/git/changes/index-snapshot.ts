// What would a commit of the index, or of the working tree, hold? Worked out on a copy of the index with objects written to our
// own folder, so that every path has a real blob id and the user's index and objects stay as they are.
import { copyFile, stat, utimes } from 'node:fs/promises';
import { join } from 'node:path';
import { byCodePoint } from '../../core/model/code-point-order.js';
import { GalleyError } from '../../core/model/error.js';
import type { Warning } from '../../core/model/warning.js';
import { pathText } from '../process/path-text.js';
import { askGit, type GitPlace, readGit, streamGit } from '../process/run-git.js';
import { splitRecords } from '../process/split-records.js';
import type { Repository } from '../repository/open-repository.js';
import { indexFile } from './index-file.js';
import { storeLfsPointers } from './lfs-snapshot.js';
import { type RawEntry, readRawRecords } from './raw-records.js';
import { indexSides, listUnmerged, replaceSides, treeSides, unmergedEntry } from './unmerged-paths.js';
import { unopenedFolders } from './unopened-folders.js';

export interface IndexSnapshot {
  /** The whole new side; paths in conflict are missing from the index's. */
  readonly tree: string;
  /** The same with unmerged paths as HEAD has them, so that they pair with nothing. */
  readonly mergedTree: string;
  readonly unmerged: readonly RawEntry[];
  /** Path and commit of submodules with changes of their own. */
  readonly dirtySubmodules: ReadonlyMap<string, string>;
  /** Paths of the working tree that git could not read, in order; folders end in a slash. */
  readonly unread: readonly string[];
  readonly warnings: readonly Warning[];
}

export interface SnapshotWish {
  readonly of: 'index' | 'working-tree';
  readonly headTree: string;
  readonly signal?: AbortSignal | undefined;
}

let copies = 0;

export async function snapshotIndex(repository: Repository, wish: SnapshotWish): Promise<IndexSnapshot> {
  if (repository.topLevel === undefined)
    throw new GalleyError('INVALID_ARGUMENT', 'mode: a bare repository has no index; use pr or commit.', {
      details: { field: 'mode' },
    });
  const place = await copyIndex(repository);
  const unmerged = await listUnmerged(place);
  const absorbed =
    wish.of === 'working-tree' ? await absorbWorkingTree(repository, place, wish) : nothingAbsorbed;
  if (unmerged.size === 0) {
    const tree = await writeTree(place, wish.signal);
    return { tree, mergedTree: tree, unmerged: [], ...absorbed };
  }
  const after = wish.of === 'working-tree' ? await indexSides(place, unmerged) : new Map();
  await replaceSides(place, unmerged, after);
  const tree = await writeTree(place, wish.signal);
  const before = await treeSides(repository.cleanRoom, wish.headTree, unmerged);
  await replaceSides(place, unmerged, before);
  const mergedTree = await writeTree(place, wish.signal);
  const entries = [...unmerged].map(([key, path]) => unmergedEntry(path, before.get(key), after.get(key)));
  return { tree, mergedTree, unmerged: entries, ...absorbed };
}

type Absorbed = Pick<IndexSnapshot, 'dirtySubmodules' | 'unread' | 'warnings'>;

const nothingAbsorbed: Absorbed = { dirtySubmodules: new Map(), unread: [], warnings: [] };

async function copyIndex(repository: Repository): Promise<GitPlace> {
  copies += 1;
  const source = await indexFile(repository);
  const target = join(repository.cleanRoom.folder, `index-${copies}`);
  const exists = await stat(source).catch(() => undefined);
  if (exists !== undefined) {
    await copyFile(source, target);
    // A younger copy would make git trust the stat data of files written in the same instant as the index.
    const time = Math.floor(exists.mtimeMs / 1000) - 1;
    await utimes(target, time, time);
  }
  return {
    ...repository.home,
    environment: {
      ...repository.home.environment,
      GIT_INDEX_FILE: target,
      GIT_OBJECT_DIRECTORY: repository.cleanRoom.objects,
    },
  };
}

/** Takes tracked and untracked files into the index copy, and tells what could not be taken. */
async function absorbWorkingTree(
  repository: Repository,
  place: GitPlace,
  wish: SnapshotWish,
): Promise<Absorbed> {
  const { signal } = wish;
  const complaints: Buffer[] = [];
  const onStderr = (part: Buffer) => void complaints.push(part);
  const { exit } = await readGit(place, ['add', '-A', '--ignore-errors'], { accept: [1], signal, onStderr });
  const pointers = await storeLfsPointers(repository, place, wish);
  const dirtySubmodules = new Map<string, string>();
  // A folder that cannot be opened is no failure to git.
  const skipped = unopenedFolders(Buffer.concat(complaints));
  const args = ['diff-files', '--raw', '-z', '--no-renames', '--ignore-submodules=none'];
  for (const entry of await readRawRecords(streamGit(place, args, { signal }))) {
    if (entry.kind === 'submodule' && entry.status === 'modified')
      dirtySubmodules.set(entry.path, entry.oldBlob ?? '');
    // Files that Git LFS manages differ from their pointers on purpose.
    else if (exit !== 0 && !pointers.has(hexOf(entry))) skipped.push(entry.path);
  }
  if (exit !== 0) {
    const untracked = streamGit(place, ['ls-files', '-o', '-z', '--exclude-standard'], { signal });
    for await (const records of splitRecords(untracked)) skipped.push(...records.map(pathText));
  }
  const unread = [...new Set(skipped)].sort(byCodePoint);
  return { dirtySubmodules, unread, warnings: unread.length === 0 ? [] : [skippedWarning(unread)] };
}

function hexOf({ path, rawPath }: RawEntry): string {
  return (rawPath ?? Buffer.from(path)).toString('hex');
}

function skippedWarning(paths: readonly string[]): Warning {
  return {
    code: 'WORKING_PATHS_SKIPPED',
    message: `${paths.length} path(s) of the working tree could not be read by git and are not in the change set.`,
    details: { total: paths.length, paths: paths.slice(0, 20) },
  };
}

async function writeTree(place: GitPlace, signal: AbortSignal | undefined): Promise<string> {
  return (await askGit(place, ['write-tree', '--missing-ok'], { signal })) ?? '';
}
