// Which paths differ between two trees? Cheap: raw records, sizes and pointer files, but no patches.
import { byCodePoint } from '../../core/model/code-points.js';
import { streamGit } from '../process/run-git.js';
import type { Repository } from '../repository/open-repository.js';
import { type ChangeEntry, type LfsPointer, type RawEntry, readRawRecords } from './change-entry.js';
import { parseLfsPointer } from './lfs.js';

export interface Comparison {
  readonly oldTree: string;
  readonly newTree: string;
  readonly signal?: AbortSignal | undefined;
  /** What differs, where it is known already; without renames. */
  readonly plain?: readonly RawEntry[] | undefined;
}

/** Above this many pairs a search for copies costs more than it tells; renames are still found. */
const copyPairs = 250_000;
const pointerSizes = { least: 100, most: 1023 };

export async function listEntries(repository: Repository, comparison: Comparison): Promise<ChangeEntry[]> {
  const plain = comparison.plain ?? (await rawEntries(repository, comparison));
  const added = plain.filter(({ status }) => status === 'added').length;
  const rest = plain.length - added;
  const described = await describeEntries(repository, plain);
  if (added === 0 || rest === 0) return described;
  const search = searchFlag(described, added * rest);
  return describeEntries(repository, await rawEntries(repository, comparison, [search, '-l1000']));
}

function searchFlag(entries: readonly ChangeEntry[], pairs: number): string {
  // Only equal ids can be paired without reading contents that are not here.
  if (entries.some(({ missing }) => missing)) return '-M100%';
  return pairs <= copyPairs ? '-C50%' : '-M50%';
}

export async function rawEntries(
  repository: Repository,
  { oldTree, newTree, signal }: Comparison,
  search: readonly string[] = ['--no-renames'],
): Promise<RawEntry[]> {
  const args = ['diff-tree', '-r', '--raw', '-z', '--no-abbrev', ...search, oldTree, newTree, '--'];
  return readRawRecords(streamGit(repository.cleanRoom, args, { signal }));
}

/** Adds sizes, absent objects and LFS pointers, and puts the entries in path order. */
export async function describeEntries(
  repository: Repository,
  entries: readonly RawEntry[],
): Promise<ChangeEntry[]> {
  const blobs = [...new Set(entries.flatMap(blobsOf))];
  const found = await repository.objects.ask('info', blobs);
  const sizes = new Map(blobs.map((blob, index) => [blob, found[index]?.size]));
  const pointers = await readPointers(repository, sizes, entries);
  return entries
    .map((entry) => describe(entry, sizes, pointers))
    .sort((left, right) => byCodePoint(left.path, right.path));
}

function describe(
  entry: RawEntry,
  sizes: ReadonlyMap<string, number | undefined>,
  pointers: ReadonlyMap<string, LfsPointer>,
): ChangeEntry {
  const blobs = blobsOf(entry);
  const oldSize = sizes.get(entry.oldBlob ?? '');
  const newSize = sizes.get(entry.newBlob ?? '');
  const oldPointer = pointers.get(entry.oldBlob ?? '');
  const newPointer = pointers.get(entry.newBlob ?? '');
  const isPointer = entry.kind === 'file' && (newPointer ?? (entry.newBlob === undefined && oldPointer));
  return {
    ...entry,
    kind: isPointer ? 'lfs-pointer' : entry.kind,
    ...(oldSize === undefined ? {} : { oldSize }),
    ...(newSize === undefined ? {} : { newSize }),
    missing: blobs.some((blob) => sizes.get(blob) === undefined),
    dirty: false,
    ...(oldPointer === undefined && newPointer === undefined
      ? {}
      : {
          lfs: {
            ...(oldPointer === undefined ? {} : { old: oldPointer }),
            ...(newPointer === undefined ? {} : { new: newPointer }),
          },
        }),
  };
}

async function readPointers(
  repository: Repository,
  sizes: ReadonlyMap<string, number | undefined>,
  entries: readonly RawEntry[],
): Promise<Map<string, LfsPointer>> {
  const files = new Set(entries.filter(({ kind }) => kind === 'file').flatMap(blobsOf));
  const likely = [...files].filter((blob) => {
    const size = sizes.get(blob) ?? 0;
    return size >= pointerSizes.least && size <= pointerSizes.most;
  });
  const contents = await repository.objects.ask('contents', likely);
  const pointers = new Map<string, LfsPointer>();
  contents.forEach((content, index) => {
    const pointer = content?.bytes && parseLfsPointer(content.bytes);
    if (pointer) pointers.set(likely[index]!, pointer);
  });
  return pointers;
}

/** Ids that name contents; a submodule's commit lives elsewhere. */
function blobsOf({ oldMode, oldBlob, newMode, newBlob }: RawEntry): string[] {
  const blobs: string[] = [];
  if (oldBlob !== undefined && oldMode !== '160000') blobs.push(oldBlob);
  if (newBlob !== undefined && newMode !== '160000') blobs.push(newBlob);
  return blobs;
}
