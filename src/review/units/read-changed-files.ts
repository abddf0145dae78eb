// Reads patches and both sides of the wanted entries. A side that cannot be read is absent; its hunks are still there.
import { indexLines } from '../../code/line-index.js';
import { outline } from '../../code/outline.js';
import type { ChangeEntry } from '../../git/changes/change-entry.js';
import { type BlobAnswer, readBlobs } from '../../git/objects/tree-files.js';
import type { FilePatch } from '../../git/patch/patch.js';
import { streamPatches } from '../../git/patch/stream-patches.js';
import type { Repository } from '../../git/repository/open-repository.js';
import { type ChangedFile, changedFile, type FileSide, linesOf } from './changed-file.js';

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
export async function outlinePatches(
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
    lines: linesOf(text),
    index: indexLines(text),
    outline: await outline(path, text, { roles: true }),
  };
}
