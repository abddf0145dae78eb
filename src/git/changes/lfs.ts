// Git LFS: the small text that stands in place of a large file, and what would be stored for one of the working tree, worked out
// here so that the result is the same whether or not the LFS program is installed.

import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { lstat, open } from 'node:fs/promises';
import { mayHaveAttributes } from '../objects/read-attributes.js';
import { splitRecords } from '../process/records.js';
import { askGit, type GitPlace, readGit, streamGit } from '../process/run-git.js';
import type { Repository } from '../repository/open-repository.js';
import type { LfsPointer, RawEntry } from './change-entry.js';

const version = 'version https://git-lfs.github.com/spec/v1';

export function parseLfsPointer(bytes: Buffer): LfsPointer | undefined {
  const text = bytes.toString('latin1');
  if (bytes.length > 1023 || !text.startsWith(`${version}\n`)) return undefined;
  const oid = /^oid (sha256:[0-9a-f]{64})$/m.exec(text)?.[1];
  const size = /^size (\d+)$/m.exec(text)?.[1];
  return oid === undefined || size === undefined ? undefined : { oid, size: Number(size) };
}

function writeLfsPointer(pointer: LfsPointer): string {
  return `${version}\noid ${pointer.oid}\nsize ${pointer.size}\n`;
}

interface StoredPointers {
  /** Paths with a pointer of ours, as hexadecimal bytes. */
  readonly pointers: ReadonlySet<string>;
  /** Paths with a filter of another kind that git would have run. */
  readonly filtered: readonly string[];
}

/**
 * What would Git LFS store for a large file of the working tree? The pointer is worked out here, so that the result is the same
 * whether or not the LFS program is installed.
 */
export async function storeLfsPointers(
  repository: Repository,
  place: GitPlace,
  wish: {
    readonly changed: readonly RawEntry[];
    /** That holds them, where there is one. */
    readonly tree: string | undefined;
    readonly signal?: AbortSignal | undefined;
  },
): Promise<StoredPointers> {
  const { tree, signal } = wish;
  const files = wish.changed.filter(({ newMode }) => newMode?.startsWith('100'));
  if (tree !== undefined && !(await mayHaveAttributes(repository, { tree, paths: files, onDisk: true })))
    return { pointers: new Set(), filtered: [] };
  const paths = files.map(({ path, rawPath }) => rawPath ?? Buffer.from(path));
  const filters = await filtersOf(place, paths, signal);
  const lines: (Buffer | string)[] = [];
  const pointers = new Set<string>();
  for (const [index, path] of paths.entries()) {
    if (filters[index] !== 'lfs') continue;
    const pointer = await pointerFor(Buffer.concat([Buffer.from(`${repository.topLevel}/`), path]));
    if (pointer === undefined) continue;
    const blob = await askGit(place, ['hash-object', '-w', '--no-filters', '--stdin'], {
      input: [pointer],
      signal,
    });
    lines.push(`${files[index]?.newMode} ${blob}\t`, path, '\0');
    pointers.add(path.toString('hex'));
  }
  if (lines.length > 0)
    await readGit(place, ['update-index', '-z', '--index-info'], { input: lines, signal });
  const filtered = files.filter((_, index) => {
    const filter = filters[index] ?? '';
    return filter !== 'lfs' && repository.filters.has(filter);
  });
  return { pointers, filtered: filtered.map(({ path }) => path) };
}

/** In the order of the paths; in latin1, as the names of filters are kept. */
async function filtersOf(
  place: GitPlace,
  paths: readonly Buffer[],
  signal: AbortSignal | undefined,
): Promise<string[]> {
  if (paths.length === 0) return [];
  const input = paths.flatMap((path) => [path, '\0']);
  const answer = streamGit(place, ['check-attr', '-z', '--stdin', 'filter'], { input, signal });
  const fields: Buffer[] = [];
  for await (const records of splitRecords(answer)) fields.push(...records);
  return paths.map((_, index) => fields[index * 3 + 2]?.toString('latin1') ?? '');
}

/** Undefined when the file is empty or already a pointer: LFS stores both as they are. */
async function pointerFor(file: Buffer): Promise<string | undefined> {
  const facts = await lstat(file).catch(() => undefined);
  if (!facts?.isFile() || facts.size === 0) return undefined;
  if (facts.size < 1024) {
    const handle = await open(file, 'r');
    try {
      if (parseLfsPointer(await handle.readFile()) !== undefined) return undefined;
    } finally {
      await handle.close();
    }
  }
  const hash = createHash('sha256');
  let size = 0;
  for await (const chunk of createReadStream(file)) {
    hash.update(chunk);
    size += chunk.length;
  }
  return writeLfsPointer({ oid: `sha256:${hash.digest('hex')}`, size });
}
