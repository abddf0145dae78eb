// Files read and outlined: both sides of a changed file, and those of the tree around it, each once. A side that cannot be read is
// absent; the hunks are still there.
import { indexLines, type LineIndex } from '../../code/line-index.js';
import { outline } from '../../code/outline.js';
import { compareOutlines, type SymbolChange } from '../../code/symbol-changes.js';
import type { Outline } from '../../code/syntax/outline-model.js';
import type { ChangeEntry } from '../../git/changes/change-entry.js';
import { type BlobAnswer, listTree, readBlobs, type TreeFile } from '../../git/objects/tree-files.js';
import type { FilePatch } from '../../git/patch/patch.js';
import { streamPatches } from '../../git/patch/stream-patches.js';
import type { Repository } from '../../git/repository/open-repository.js';

export interface FileSide {
  readonly path: string;
  readonly blob: string;
  readonly text: string;
  /** Split at LF, without a last empty line. */
  readonly lines: readonly string[];
  readonly index: LineIndex;
  readonly outline: Outline;
}

export interface ChangedFile {
  readonly patch: FilePatch;
  /** Absent where the side does not exist, is no text, or is too large to read. */
  readonly before?: FileSide;
  readonly after?: FileSide;
  readonly symbolChanges: readonly SymbolChange[];
}

/** Of the newer side that is there; empty where none is. */
export function languageOf({ after, before }: Pick<ChangedFile, 'before' | 'after'>): string {
  return (after ?? before)?.outline.language ?? '';
}

function changedFile(
  patch: FilePatch,
  before: FileSide | undefined,
  after: FileSide | undefined,
): ChangedFile {
  const nothing = { symbols: [] };
  return {
    patch,
    ...(before === undefined ? {} : { before }),
    ...(after === undefined ? {} : { after }),
    symbolChanges: compareOutlines(before?.outline ?? nothing, after?.outline ?? nothing),
  };
}

export function textLines(text: string): string[] {
  const lines = text.split('\n');
  if (lines.at(-1) === '') lines.pop();
  return lines;
}

const largestSide = 2 * 1024 * 1024;

export async function readChangedFiles(
  repository: Repository,
  entries: readonly ChangeEntry[],
  options: { readonly signal?: AbortSignal | undefined } = {},
): Promise<ChangedFile[]> {
  const patches: FilePatch[] = [];
  for await (const patch of streamPatches(repository, entries, options)) patches.push(patch);
  const blobs = patches.flatMap((patch) => [oldBlob(patch), newBlob(patch)]).filter((id) => id !== undefined);
  const contents = await readBlobs(repository, blobs, { maxBytes: largestSide, ...options });
  const files: ChangedFile[] = [];
  for (const patch of patches) {
    const { path, oldPath = path } = patch.entry;
    const before = await readSide(oldPath, oldBlob(patch), { contents, outlined: { roles: true } });
    const after = await readSide(path, newBlob(patch), { contents, outlined: { roles: true } });
    files.push(changedFile(patch, before, after));
  }
  return files;
}

function readable({ entry, binary }: FilePatch): boolean {
  return !binary && !entry.missing && entry.kind === 'file';
}

function oldBlob(patch: FilePatch): string | undefined {
  return readable(patch) && patch.header.change !== 'create' ? patch.entry.oldBlob : undefined;
}

function newBlob(patch: FilePatch): string | undefined {
  return readable(patch) && patch.header.change !== 'delete' ? patch.entry.newBlob : undefined;
}

/** Undefined for what is no text. */
async function readSide(
  path: string,
  blob: string | undefined,
  { contents, outlined }: SideOptions,
): Promise<FileSide | undefined> {
  const answer = blob === undefined ? undefined : contents.get(blob);
  if (blob === undefined || answer?.kind !== 'content' || answer.bytes.subarray(0, 8000).includes(0))
    return undefined;
  const text = answer.bytes.toString('utf8');
  return {
    path,
    blob,
    text,
    lines: textLines(text),
    index: indexLines(text),
    outline: await outline(path, text, outlined),
  };
}

interface SideOptions {
  readonly contents: ReadonlyMap<string, BlobAnswer>;
  readonly outlined: Parameters<typeof outline>[2];
}

export interface TreeLibrary {
  /** Regular files of the tree that are small enough to be read, by path. */
  files(): Promise<ReadonlyMap<string, TreeFile>>;
  /** Those that exist and are text. */
  open(paths: readonly string[]): Promise<ReadonlyMap<string, FileSide>>;
  /** The same with identifier uses in the outlines, which cost as much again. */
  study(paths: readonly string[]): Promise<ReadonlyMap<string, FileSide>>;
}

interface TreePlace {
  readonly tree: string;
  /** Read already: they are not opened again. */
  readonly known?: readonly FileSide[] | undefined;
  /** As if they were not there. */
  readonly unread?: ReadonlySet<string> | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** In bytes: what is larger is data, or made by a machine. */
export const largestFile = 600_000;

/** Read and outlined when somebody opens them, each once. */
export function treeLibrary(
  repository: Repository,
  { tree, known: read = [], unread = new Set(), signal }: TreePlace,
): TreeLibrary {
  let listed: Promise<ReadonlyMap<string, TreeFile>> | undefined;
  const opened = new Map<string, FileSide | undefined>();
  const alreadyRead = new Map(read.map((file) => [file.path, file]));
  const files: TreeLibrary['files'] = () => {
    listed ??= listTree(repository, tree, { signal }).then(
      (all) =>
        new Map(
          all.filter((file) => isReadable(file) && !unread.has(file.path)).map((file) => [file.path, file]),
        ),
    );
    return listed;
  };
  const studied = new Map<string, FileSide>();
  const open: TreeLibrary['open'] = async (paths) => {
    const known = await files();
    for (const path of paths) {
      const file = alreadyRead.get(path);
      if (file !== undefined && known.get(path)?.blob === file.blob) opened.set(path, file);
    }
    const missing = paths.filter((path) => known.has(path) && !opened.has(path));
    const sides = await openFiles(
      repository,
      missing.map((path) => known.get(path)!),
      signal,
    );
    for (const path of missing) opened.set(path, sides.get(path));
    const found = new Map<string, FileSide>();
    for (const path of paths) {
      const file = opened.get(path);
      if (file !== undefined) found.set(path, file);
    }
    return found;
  };
  return {
    files,
    open,
    async study(paths) {
      const found = new Map<string, FileSide>();
      for (const [path, file] of await open(paths)) {
        const known = studied.get(path) ?? {
          ...file,
          outline: await outline(path, file.text, { uses: true, digests: false }),
        };
        studied.set(path, known);
        found.set(path, known);
      }
      return found;
    },
  };
}

/** Files of a tree that was listed already, by path: those that are text and not too large. */
export async function openFiles(
  repository: Repository,
  files: readonly Pick<TreeFile, 'path' | 'blob'>[],
  signal: AbortSignal | undefined,
): Promise<ReadonlyMap<string, FileSide>> {
  const blobs = files.map(({ blob }) => blob);
  const contents = await readBlobs(repository, blobs, { maxBytes: largestFile, signal });
  const found = new Map<string, FileSide>();
  for (const { path, blob } of files) {
    const side = await readSide(path, blob, { contents, outlined: { digests: false } });
    if (side !== undefined) found.set(path, side);
  }
  return found;
}

function isReadable({ mode, size }: TreeFile): boolean {
  return mode.startsWith('100') && size !== undefined && size <= largestFile;
}
