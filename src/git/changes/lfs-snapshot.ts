// What would Git LFS store for a large file of the working tree? The pointer is worked out here, so that the result is the same
// whether or not the LFS program is installed.
import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { lstat, open } from 'node:fs/promises';
import { askGit, type GitPlace, readGit, streamGit } from '../process/run-git.js';
import { splitRecords } from '../process/split-records.js';
import type { Repository } from '../repository/open-repository.js';
import { parseLfsPointer, writeLfsPointer } from './lfs-pointer.js';
import { readRawRecords } from './raw-records.js';

/** Gives the paths it stored a pointer for, as hexadecimal bytes. */
export async function storeLfsPointers(
  repository: Repository,
  place: GitPlace,
  wish: { readonly headTree: string; readonly signal?: AbortSignal | undefined },
): Promise<ReadonlySet<string>> {
  const { signal } = wish;
  const changed: { path: Buffer; mode: string }[] = [];
  const args = ['diff-index', '--cached', '--raw', '-z', '--no-renames', wish.headTree, '--'];
  for (const entry of await readRawRecords(streamGit(place, args, { signal })))
    if (entry.newMode?.startsWith('100'))
      changed.push({ path: entry.rawPath ?? Buffer.from(entry.path), mode: entry.newMode });
  const tracked = await trackedByLfs(
    place,
    changed.map(({ path }) => path),
    signal,
  );
  const lines: (Buffer | string)[] = [];
  const stored = new Set<string>();
  for (const { path, mode } of changed) {
    if (!tracked.has(path.toString('hex'))) continue;
    const pointer = await pointerFor(Buffer.concat([Buffer.from(`${repository.topLevel}/`), path]));
    if (pointer === undefined) continue;
    const blob = await askGit(place, ['hash-object', '-w', '--no-filters', '--stdin'], {
      input: [pointer],
      signal,
    });
    lines.push(`${mode} ${blob}\t`, path, '\0');
    stored.add(path.toString('hex'));
  }
  if (lines.length > 0)
    await readGit(place, ['update-index', '-z', '--index-info'], { input: lines, signal });
  return stored;
}

async function trackedByLfs(
  place: GitPlace,
  paths: readonly Buffer[],
  signal: AbortSignal | undefined,
): Promise<Set<string>> {
  const tracked = new Set<string>();
  if (paths.length === 0) return tracked;
  const input = paths.flatMap((path) => [path, '\0']);
  const answer = streamGit(place, ['check-attr', '-z', '--stdin', 'filter'], { input, signal });
  const fields: Buffer[] = [];
  for await (const records of splitRecords(answer)) fields.push(...records);
  for (let at = 0; at + 2 < fields.length; at += 3)
    if (fields[at + 2]!.toString('latin1') === 'lfs') tracked.add(fields[at]!.toString('hex'));
  return tracked;
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
