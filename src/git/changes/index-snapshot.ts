// What would a commit of the index, or of the working tree, hold? Worked out on a copy of the index with objects written to our
// own folder, so that every path has a real blob id and the user's index and objects stay as they are.
import { copyFile, stat, utimes } from 'node:fs/promises';
import { join } from 'node:path';
import { GalleyError } from '../../core/model/error.js';
import type { Warning } from '../../core/model/warning.js';
import { pathText } from '../process/path-text.js';
import { askGit, type GitPlace, readGit, streamGit } from '../process/run-git.js';
import { splitRecords } from '../process/split-records.js';
import type { Repository } from '../repository/open-repository.js';
import { storeLfsPointers } from './lfs-snapshot.js';
import { kindOf, type RawEntry, readRawRecords } from './raw-records.js';

export interface IndexSnapshot {
  /** The whole new side. */
  readonly tree: string;
  /** The same with unmerged paths as HEAD has them, so that they pair with nothing. */
  readonly mergedTree: string;
  readonly unmerged: readonly RawEntry[];
  /** Path and commit of submodules with changes of their own. */
  readonly dirtySubmodules: ReadonlyMap<string, string>;
  readonly warnings: readonly Warning[];
}

export interface SnapshotWish {
  readonly of: 'index' | 'working-tree';
  readonly headTree: string;
  readonly signal?: AbortSignal | undefined;
}

interface Side {
  readonly mode: string;
  readonly blob: string;
}

let copies = 0;

export async function snapshotIndex(repository: Repository, wish: SnapshotWish): Promise<IndexSnapshot> {
  if (repository.topLevel === undefined)
    throw new GalleyError('INVALID_ARGUMENT', 'mode: a bare repository has no index; use pr or commit.', {
      details: { field: 'mode' },
    });
  const place = await copyIndex(repository);
  const { signal } = wish;
  const unmerged = await unmergedPaths(place, signal);
  const warnings: Warning[] = [];
  let dirty: ReadonlyMap<string, string> = new Map();
  if (wish.of === 'working-tree') {
    const { exit } = await readGit(place, ['add', '-A', '--ignore-errors'], { accept: [1], signal });
    await storeLfsPointers(repository, place, wish);
    const left = await leftovers(place, exit !== 0, signal);
    dirty = left.dirty;
    if (left.skipped.length > 0) warnings.push(skippedWarning(left.skipped));
  }
  const newSides = wish.of === 'index' ? new Map<string, Side>() : await stagedSides(place, unmerged, signal);
  if (wish.of === 'index') await restoreUnmerged(place, unmerged, new Map(), signal);
  const tree = await writeTree(place, signal);
  if (unmerged.size === 0) return { tree, mergedTree: tree, unmerged: [], dirtySubmodules: dirty, warnings };
  const oldSides = await treeSides(repository, wish.headTree, unmerged);
  await restoreUnmerged(place, unmerged, oldSides, signal);
  const mergedTree = await writeTree(place, signal);
  const entries = [...unmerged.values()].map((path) => unmergedEntry(path, oldSides, newSides));
  return { tree, mergedTree, unmerged: entries, dirtySubmodules: dirty, warnings };
}

async function copyIndex(repository: Repository): Promise<GitPlace> {
  copies += 1;
  const source = join(repository.gitDirectory, 'index');
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

/** By hexadecimal bytes, since a path need not be text. */
async function unmergedPaths(place: GitPlace, signal: AbortSignal | undefined): Promise<Map<string, Buffer>> {
  const paths = new Map<string, Buffer>();
  for await (const record of splitRecords(streamGit(place, ['ls-files', '-u', '-z'], { signal }))) {
    const path = Buffer.from(record.subarray(record.indexOf(9) + 1));
    paths.set(path.toString('hex'), path);
  }
  return paths;
}

async function stagedSides(
  place: GitPlace,
  wanted: ReadonlyMap<string, Buffer>,
  signal: AbortSignal | undefined,
): Promise<Map<string, Side>> {
  const sides = new Map<string, Side>();
  if (wanted.size === 0) return sides;
  for await (const record of splitRecords(streamGit(place, ['ls-files', '-s', '-z'], { signal }))) {
    const tab = record.indexOf(9);
    const [mode = '', blob = ''] = record.toString('latin1', 0, tab).split(' ');
    const key = record.toString('hex', tab + 1);
    if (wanted.has(key)) sides.set(key, { mode, blob });
  }
  return sides;
}

async function treeSides(
  repository: Repository,
  tree: string,
  wanted: ReadonlyMap<string, Buffer>,
): Promise<Map<string, Side>> {
  const sides = new Map<string, Side>();
  const listing = streamGit(repository.cleanRoom, ['ls-tree', '-r', '-z', '--full-tree', tree]);
  for await (const record of splitRecords(listing)) {
    const tab = record.indexOf(9);
    const [mode = '', , blob = ''] = record.toString('latin1', 0, tab).split(' ');
    const key = record.toString('hex', tab + 1);
    if (wanted.has(key)) sides.set(key, { mode, blob });
  }
  return sides;
}

async function restoreUnmerged(
  place: GitPlace,
  unmerged: ReadonlyMap<string, Buffer>,
  sides: ReadonlyMap<string, Side>,
  signal: AbortSignal | undefined,
): Promise<void> {
  if (unmerged.size === 0) return;
  const nothing = '0'.repeat(40);
  const input = [...unmerged].flatMap(([key, path]) => {
    const side = sides.get(key);
    const line = (head: string) => [head, path, '\0'];
    const removal = line(`0 ${nothing}\t`);
    return side === undefined ? removal : [...removal, ...line(`${side.mode} ${side.blob}\t`)];
  });
  await readGit(place, ['update-index', '-z', '--index-info'], { input, signal });
}

async function leftovers(
  place: GitPlace,
  failed: boolean,
  signal: AbortSignal | undefined,
): Promise<{ dirty: Map<string, string>; skipped: string[] }> {
  const dirty = new Map<string, string>();
  const skipped: string[] = [];
  const args = ['diff-files', '--raw', '-z', '--no-renames', '--ignore-submodules=none'];
  for await (const entry of readRawRecords(streamGit(place, args, { signal }))) {
    if (entry.kind === 'submodule' && entry.status === 'modified') dirty.set(entry.path, entry.oldBlob ?? '');
    else skipped.push(entry.path);
  }
  if (!failed) return { dirty, skipped };
  const untracked = streamGit(place, ['ls-files', '-o', '-z', '--exclude-standard'], { signal });
  for await (const record of splitRecords(untracked)) skipped.push(pathText(record));
  return { dirty, skipped };
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

function unmergedEntry(
  path: Buffer,
  oldSides: ReadonlyMap<string, Side>,
  newSides: ReadonlyMap<string, Side>,
): RawEntry {
  const key = path.toString('hex');
  const before = oldSides.get(key);
  const after = newSides.get(key);
  const text = pathText(path);
  return {
    path: text,
    ...(Buffer.from(text).equals(path) ? {} : { rawPath: path }),
    status: 'unmerged',
    kind: kindOf((after ?? before)?.mode ?? '100644'),
    ...(before === undefined ? {} : { oldMode: before.mode, oldBlob: before.blob }),
    ...(after === undefined ? {} : { newMode: after.mode, newBlob: after.blob }),
  };
}
