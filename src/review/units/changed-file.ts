// One changed file with both sides read and outlined: what units, rules and bundles work on.
import { indexLines, type LineIndex } from '../../code/line-index.js';
import { outline } from '../../code/outline.js';
import type { Outline } from '../../code/outline-model.js';
import { compareOutlines, type SymbolChange } from '../../code/symbol-changes.js';
import type { ChangeEntry } from '../../git/changes/change-entry.js';
import { listTree, type TreeFile } from '../../git/history/list-tree.js';
import { type BlobAnswer, readBlobs } from '../../git/objects/read-blobs.js';
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

// Reads patches and both sides of the wanted entries. A side that cannot be read is absent; its hunks are still there.
const largestSide = 2 * 1024 * 1024;

export async function readChangedFiles(
  repository: Repository,
  entries: readonly ChangeEntry[],
  options: { readonly signal?: AbortSignal | undefined } = {},
): Promise<ChangedFile[]> {
  const patches: FilePatch[] = [];
  for await (const patch of streamPatches(repository, entries, options)) patches.push(patch);
  return outlinePatches(repository, patches, options);
}

/** For callers that hold the patches already. */
async function outlinePatches(
  repository: Repository,
  patches: readonly FilePatch[],
  options: { readonly signal?: AbortSignal | undefined } = {},
): Promise<ChangedFile[]> {
  const blobs = patches.flatMap((patch) => [oldBlob(patch), newBlob(patch)]).filter((id) => id !== undefined);
  const contents = await readBlobs(repository, blobs, { maxBytes: largestSide, ...options });
  const files: ChangedFile[] = [];
  for (const patch of patches) {
    const { entry } = patch;
    const before = await readSide(entry.oldPath ?? entry.path, oldBlob(patch), contents);
    const after = await readSide(entry.path, newBlob(patch), contents);
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

async function readSide(
  path: string,
  blob: string | undefined,
  contents: ReadonlyMap<string, BlobAnswer>,
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
    outline: await outline(path, text, { roles: true }),
  };
}

// The files of one tree, read and outlined when somebody opens them, each once.
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
  readonly signal?: AbortSignal | undefined;
}

const largestFile = 600_000;

export function treeLibrary(
  repository: Repository,
  { tree, known: read = [], signal }: TreePlace,
): TreeLibrary {
  let listed: Promise<ReadonlyMap<string, TreeFile>> | undefined;
  const opened = new Map<string, FileSide | undefined>();
  const alreadyRead = new Map(read.map((file) => [file.path, file]));
  const files: TreeLibrary['files'] = () => {
    listed ??= listTree(repository, tree, { signal }).then(
      (all) => new Map(all.filter(isReadable).map((file) => [file.path, file])),
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
    const blobs = missing.map((path) => known.get(path)!.blob);
    const contents = await readBlobs(repository, blobs, { maxBytes: largestFile, signal });
    for (const path of missing) {
      const { blob } = known.get(path)!;
      const answer = contents.get(blob);
      const readable = answer?.kind === 'content' && !answer.bytes.subarray(0, 8000).includes(0);
      opened.set(path, readable ? await openFile(path, blob, answer.bytes.toString('utf8')) : undefined);
    }
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

async function openFile(path: string, blob: string, text: string): Promise<FileSide> {
  const outlined: Outline = await outline(path, text, { digests: false });
  return { path, blob, text, lines: textLines(text), index: indexLines(text), outline: outlined };
}

function isReadable({ mode, size }: TreeFile): boolean {
  return mode.startsWith('100') && size !== undefined && size <= largestFile;
}
