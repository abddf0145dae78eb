// What would a commit of the index, or of the working tree, hold? Worked out on a copy of the index with objects written to our
// own folder, so that every path has a real blob id and the user's index and objects stay as they are.
import { copyFile, realpath, stat, utimes } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { byCodePoint } from '../../core/model/code-points.js';
import { GalleyError, type Warning } from '../../core/model/error.js';
import { pathText, splitRecords } from '../process/records.js';
import { askGit, type GitPlace, readGit, streamGit } from '../process/run-git.js';
import type { Repository } from '../repository/open-repository.js';
import { type RawEntry, readRawRecords } from './change-entry.js';
import { storeLfsPointers } from './lfs.js';
import { rawEntries } from './list-entries.js';
import { hideSubmodules, listSpecialPaths, type Submodule, submoduleState } from './submodules.js';
import { indexSides, replaceSides, treeSides, unmergedEntry } from './unmerged-paths.js';

export interface IndexSnapshot {
  /** The whole new side; paths in conflict are missing from the index's. */
  readonly tree: string;
  /** What differs from HEAD, where that was read from this very tree. */
  readonly changed?: readonly RawEntry[];
  /** The same with unmerged paths as HEAD has them, so that they pair with nothing. */
  readonly mergedTree: string;
  readonly unmerged: readonly RawEntry[];
  /** Path and commit of submodules with changes of their own. */
  readonly dirtySubmodules: ReadonlyMap<string, string>;
  /** Paths of the working tree that git could not read, in order; folders end in a slash. */
  readonly unread: readonly string[];
  readonly warnings: readonly Warning[];
}

interface SnapshotWish {
  readonly of: 'index' | 'working-tree';
  /** Found while git reads the working tree. */
  readonly headTree: Promise<string>;
  readonly signal?: AbortSignal | undefined;
}

let copies = 0;

/**
 * Every changed file into one pack, in place of a file each: a tenth of the work. Git streams what is larger than this many bytes, unless it
 * has to be converted.
 */
const intoOnePack = ['core.bigFileThreshold=1', 'pack.compression=0', 'core.fsync=none'].flatMap(
  (setting) => ['-c', setting],
);

export async function snapshotIndex(repository: Repository, wish: SnapshotWish): Promise<IndexSnapshot> {
  if (repository.topLevel === undefined)
    throw new GalleyError('INVALID_ARGUMENT', 'mode: a bare repository has no index; use pr or commit.', {
      details: { field: 'mode' },
    });
  const place = await copyIndex(repository);
  const { unmerged, submodules } = await listSpecialPaths(place);
  const absorbed =
    wish.of === 'working-tree'
      ? await absorbWorkingTree(repository, place, { ...wish, submodules })
      : nothingAbsorbed;
  if (unmerged.size === 0) {
    const tree = absorbed.tree ?? (await writeTree(place, wish.signal));
    return { ...absorbed, tree, mergedTree: tree, unmerged: [] };
  }
  const after = wish.of === 'working-tree' ? await indexSides(place, unmerged) : new Map();
  await replaceSides(place, unmerged, after);
  const tree = await writeTree(place, wish.signal);
  const before = await treeSides(repository.cleanRoom, await wish.headTree, unmerged);
  await replaceSides(place, unmerged, before);
  const mergedTree = await writeTree(place, wish.signal);
  const entries = [...unmerged].map(([key, path]) => unmergedEntry(path, before.get(key), after.get(key)));
  const { dirtySubmodules, unread, warnings } = absorbed;
  return { tree, mergedTree, unmerged: entries, dirtySubmodules, unread, warnings };
}

type Absorbed = Pick<IndexSnapshot, 'dirtySubmodules' | 'unread' | 'warnings' | 'changed'> &
  Partial<Pick<IndexSnapshot, 'tree'>>;

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
    },
  };
}

/** Takes tracked and untracked files into the index copy, and tells what could not be taken. */
async function absorbWorkingTree(
  repository: Repository,
  place: GitPlace,
  wish: SnapshotWish & { readonly submodules: readonly Submodule[] },
): Promise<Absorbed> {
  const { signal } = wish;
  const present = await hideSubmodules(repository, place, wish.submodules);
  const { exit, said } = await addAll(place, signal);
  // Paths that stay in conflict have no tree yet.
  const early = await askGit(place, writingTree, { accept: [128], signal });
  const headTree = await wish.headTree;
  const changed = await (early === undefined
    ? readRawRecords(
        streamGit(place, ['diff-index', '--cached', '--raw', '-z', '--no-renames', headTree, '--'], {
          signal,
        }),
      )
    : rawEntries(repository, { oldTree: headTree, newTree: early, signal }));
  const { pointers, filtered } = await storeLfsPointers(repository, place, { changed, tree: early, signal });
  // A folder that cannot be opened is no failure to git.
  const skipped = unopenedFolders(said);
  const known = new Set(present.map(({ path }) => path.toString('hex')));
  const found = changed.filter((entry) => entry.newMode === '160000' && !known.has(hexOf(entry)));
  const nested = found.map((entry) => ({ path: bytesOf(entry), commit: entry.newBlob ?? '' }));
  const submodules = await absorbSubmodules(repository, place, {
    submodules: [...present, ...nested],
    signal,
  });
  skipped.push(...submodules.unread);
  if (exit !== 0) {
    const args = ['diff-files', '--raw', '-z', '--no-renames', '--ignore-submodules=all'];
    const left = await readRawRecords(streamGit(place, args, { signal }));
    // Files that Git LFS manages differ from their pointers on purpose.
    skipped.push(...left.filter((entry) => !pointers.has(hexOf(entry))).map(({ path }) => path));
    const untracked = streamGit(place, ['ls-files', '-o', '-z', '--exclude-standard'], { signal });
    for await (const records of splitRecords(untracked)) skipped.push(...records.map(pathText));
  }
  const unread = [...new Set(skipped)].sort(byCodePoint);
  const warnings = [...skippedWarning(unread), ...filterWarning(filtered)];
  const isWhole = early !== undefined && pointers.size === 0 && !submodules.moved;
  return {
    ...{ dirtySubmodules: submodules.dirty, unread, warnings },
    ...(isWhole ? { tree: early, changed } : {}),
  };
}

/** What git could not read is told by its exit code and its words. */
async function addAll(
  place: GitPlace,
  signal: AbortSignal | undefined,
): Promise<{ readonly exit: number; readonly said: Buffer }> {
  const add = async (settings: readonly string[], accept: readonly number[]) => {
    const parts: Buffer[] = [];
    const onStderr = (part: Buffer) => void parts.push(part);
    const own = { ...place, settings: [...place.settings, ...settings] };
    const { exit } = await readGit(own, ['add', '-A', '--ignore-errors'], { accept, signal, onStderr });
    return { exit, said: Buffer.concat(parts) };
  };
  const packed = await add(intoOnePack, [1, 128]);
  // A file that shrinks while it is streamed ends the whole call; read at once, it is passed over.
  return packed.exit === 128 ? add([], [1]) : packed;
}

/** Takes the commit of each submodule into the index copy. */
async function absorbSubmodules(
  repository: Repository,
  place: GitPlace,
  wish: { readonly submodules: readonly Submodule[]; readonly signal: AbortSignal | undefined },
): Promise<{ dirty: Map<string, string>; unread: string[]; moved: boolean }> {
  const dirty = new Map<string, string>();
  const unread: string[] = [];
  const input: (Buffer | string)[] = [];
  for (const { path, commit } of wish.submodules) {
    const state = await submoduleState(repository, path, wish.signal);
    const now = state?.head ?? commit;
    if (state === undefined) unread.push(`${pathText(path)}/`);
    if (state?.dirty) dirty.set(pathText(path), now);
    if (now !== commit) input.push(`160000 ${now}\t`, path, '\0');
  }
  if (input.length > 0)
    await readGit(place, ['update-index', '-z', '--index-info'], { input, signal: wish.signal });
  return { dirty, unread, moved: input.length > 0 };
}

function bytesOf({ path, rawPath }: RawEntry): Buffer {
  return rawPath ?? Buffer.from(path);
}

function hexOf(entry: RawEntry): string {
  return bytesOf(entry).toString('hex');
}

function skippedWarning(paths: readonly string[]): Warning[] {
  if (paths.length === 0) return [];
  return [
    {
      code: 'WORKING_PATHS_SKIPPED',
      message: `${paths.length} path(s) of the working tree could not be read by git and are not in the change set.`,
      details: { total: paths.length, paths: paths.slice(0, 20) },
    },
  ];
}

function filterWarning(paths: readonly string[]): Warning[] {
  if (paths.length === 0) return [];
  return [
    {
      code: 'FILTERS_NOT_RUN',
      message: `${paths.length} changed path(s) have a filter in .gitattributes; Galley starts no program of a repository, so they are compared as they are in the working tree.`,
      details: { total: paths.length, paths: paths.slice(0, 20) },
    },
  ];
}

const writingTree = ['write-tree', '--missing-ok'];

async function writeTree(place: GitPlace, signal: AbortSignal | undefined): Promise<string> {
  return (await askGit(place, writingTree, { signal })) ?? '';
}

/**
 * Which index is meant? The repository's own, or the one git hands its hooks while it makes a commit (`commit -a`, `commit -o`):
 * that one lies in the same git directory. Any other name in the environment belongs to somebody else's work.
 */
async function indexFile(
  { gitDirectory, topLevel }: Pick<Repository, 'gitDirectory' | 'topLevel'>,
  from: NodeJS.ProcessEnv = process.env,
): Promise<string> {
  const own = join(gitDirectory, 'index');
  const named = from.GIT_INDEX_FILE;
  if (named === undefined || named === '') return own;
  const file = await realpath(resolve(topLevel ?? gitDirectory, named)).catch(() => undefined);
  const home = await realpath(gitDirectory).catch(() => undefined);
  return file !== undefined && dirname(file) === home ? file : own;
}

const before = "could not open directory '";
const after = "': ";

/**
 * Which folders of the working tree could git not open? It passes over them with a warning, so its words are all there is.
 */
export function unopenedFolders(stderr: Buffer): string[] {
  const folders: string[] = [];
  for (let from = stderr.indexOf(before); from >= 0; from = stderr.indexOf(before, from)) {
    from += before.length;
    const line = stderr.indexOf('\n', from);
    const end = stderr.subarray(0, line < 0 ? stderr.length : line).lastIndexOf(after);
    if (end >= from) folders.push(pathText(stderr.subarray(from, end)));
  }
  return folders;
}
