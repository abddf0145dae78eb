// What does a tree hold? Its files with mode, blob and size, and the contents of blobs, none larger than asked for.

import { toGalleyError } from '../../core/model/error.js';
import { pathText, splitRecords } from '../process/records.js';
import { streamGit } from '../process/run-git.js';
import type { Repository } from '../repository/open-repository.js';
import { resolveTree } from '../repository/resolve-commit.js';

export interface TreeFile {
  readonly path: string;
  readonly mode: string;
  readonly blob: string;
  /** In bytes; absent for submodules and for blobs that are not in this clone. */
  readonly size?: number;
}

interface ListOptions {
  /** Others are left out, and nobody asks for their sizes. */
  only?(file: Pick<TreeFile, 'path' | 'mode'>): boolean;
  readonly signal?: AbortSignal | undefined;
}

export async function listTree(
  repository: Repository,
  at: string,
  { only, signal }: ListOptions = {},
): Promise<TreeFile[]> {
  const tree = await resolveTree(repository, at);
  const files: Omit<TreeFile, 'size'>[] = [];
  const args = ['ls-tree', '-r', '-z', '--full-tree', tree];
  for await (const records of splitRecords(streamGit(repository.cleanRoom, args, { signal })))
    for (const record of records) {
      const tab = record.indexOf(9);
      const [mode = '', , blob = ''] = record.toString('latin1', 0, tab).split(' ');
      const file = { path: pathText(record.subarray(tab + 1)), mode, blob };
      if (only === undefined || only(file)) files.push(file);
    }
  const blobs = files.filter(({ mode }) => mode !== '160000').map(({ blob }) => blob);
  const found = await repository.objects.ask('info', blobs);
  const sizes = new Map(blobs.map((blob, index) => [blob, found[index]?.size]));
  return files.map((file) => {
    const size = sizes.get(file.blob);
    return size === undefined ? file : { ...file, size };
  });
}

export type BlobAnswer =
  | { readonly kind: 'content'; readonly bytes: Buffer }
  | { readonly kind: 'too-large'; readonly size: number }
  | { readonly kind: 'missing' }
  | { readonly kind: 'not-a-blob'; readonly type: string };

interface BlobLimits {
  readonly maxBytes: number;
  readonly signal?: AbortSignal | undefined;
}

const batch = 256;

/** Contents by id. Sizes are asked first, so that a large blob is never read; one that is not in this clone is an answer. */
export async function readBlobs(
  repository: Repository,
  ids: readonly string[],
  limits: BlobLimits,
): Promise<Map<string, BlobAnswer>> {
  const answers = new Map<string, BlobAnswer>();
  const unique = [...new Set(ids)];
  for (let from = 0; from < unique.length; from += batch) {
    if (limits.signal?.aborted) throw toGalleyError(limits.signal.reason, 'CANCELLED');
    const part = unique.slice(from, from + batch);
    const found = await repository.objects.ask('info', part);
    const readable: string[] = [];
    part.forEach((id, index) => {
      const object = found[index];
      if (object === undefined) answers.set(id, { kind: 'missing' });
      else if (object.type !== 'blob') answers.set(id, { kind: 'not-a-blob', type: object.type });
      else if (object.size > limits.maxBytes) answers.set(id, { kind: 'too-large', size: object.size });
      else readable.push(id);
    });
    const contents = await repository.objects.ask('contents', readable);
    readable.forEach((id, index) => {
      const bytes = contents[index]?.bytes;
      answers.set(id, bytes === undefined ? { kind: 'missing' } : { kind: 'content', bytes });
    });
  }
  return answers;
}

const textsAtOnce = 64;
const sniffed = 8_000;

interface TextVisit {
  readonly signal?: AbortSignal | undefined;
  visit(id: string, bytes: Buffer): void;
}

/** The bytes of every blob that is text, a few at a time: a tree is never in memory whole. */
export async function visitTexts(
  repository: Repository,
  ids: readonly string[],
  { signal, visit }: TextVisit,
): Promise<void> {
  const ask = (from: number) => repository.objects.ask('contents', ids.slice(from, from + textsAtOnce));
  let coming = ids.length === 0 ? undefined : ask(0);
  for (let from = 0; coming !== undefined; from += textsAtOnce) {
    if (signal?.aborted) throw toGalleyError(signal.reason, 'CANCELLED');
    const contents = await coming;
    // Git reads the next ones while these are looked at.
    coming = from + textsAtOnce < ids.length ? ask(from + textsAtOnce) : undefined;
    coming?.catch(() => undefined);
    contents.forEach((object, index) => {
      const bytes = object?.bytes;
      if (bytes !== undefined && !bytes.subarray(0, sniffed).includes(0)) visit(ids[from + index]!, bytes);
    });
  }
}
