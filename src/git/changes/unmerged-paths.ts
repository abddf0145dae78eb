// Paths in conflict: what HEAD holds, what the working tree holds, and how to take them out of an index copy.
import { pathText, splitRecords } from '../process/records.js';
import { type GitPlace, readGit, streamGit } from '../process/run-git.js';
import { kindOf, type RawEntry } from './change-entry.js';

/** By hexadecimal bytes, since a path need not be text. */
export type PathSet = ReadonlyMap<string, Buffer>;

export interface UnmergedSide {
  readonly mode: string;
  readonly id: string;
}

export type UnmergedSides = ReadonlyMap<string, UnmergedSide>;

export async function indexSides(place: GitPlace, paths: PathSet): Promise<UnmergedSides> {
  return pickSides(place, ['ls-files', '-s', '-z'], paths);
}

export async function treeSides(place: GitPlace, tree: string, paths: PathSet): Promise<UnmergedSides> {
  return pickSides(place, ['ls-tree', '-r', '-z', '--full-tree', tree], paths);
}

/** Both listings begin with the mode and name one id before the tab. */
async function pickSides(
  place: GitPlace,
  listing: readonly string[],
  paths: PathSet,
): Promise<UnmergedSides> {
  const sides = new Map<string, UnmergedSide>();
  for await (const records of splitRecords(streamGit(place, listing)))
    for (const record of records) {
      const tab = record.indexOf(9);
      const key = record.toString('hex', tab + 1);
      if (!paths.has(key)) continue;
      const words = record.toString('latin1', 0, tab).split(' ');
      // A stage of a conflict that is still open is not what the path holds.
      if (/^[123]$/.test(words[2] ?? '')) continue;
      const id = words.find((word) => word.length >= 40);
      if (id !== undefined) sides.set(key, { mode: words[0] ?? '', id });
    }
  return sides;
}

/** Gives each path the side named for it; a path without one leaves the index. */
export async function replaceSides(place: GitPlace, paths: PathSet, sides: UnmergedSides): Promise<void> {
  const input = [...paths].flatMap(([key, path]) => {
    const side = sides.get(key);
    return side === undefined ? [] : [`${side.mode} ${side.id}\t`, path, '\0'];
  });
  const removal = [...paths.values()].flatMap((path) => [path, '\0']);
  await readGit(place, ['update-index', '--force-remove', '-z', '--stdin'], { input: removal });
  if (input.length > 0) await readGit(place, ['update-index', '-z', '--index-info'], { input });
}

export function unmergedEntry(
  path: Buffer,
  before: UnmergedSide | undefined,
  after: UnmergedSide | undefined,
): RawEntry {
  const text = pathText(path);
  return {
    path: text,
    ...(Buffer.from(text).equals(path) ? {} : { rawPath: path }),
    status: 'unmerged',
    kind: kindOf((after ?? before)?.mode ?? '100644'),
    ...(before === undefined ? {} : { oldMode: before.mode, oldBlob: before.id }),
    ...(after === undefined ? {} : { newMode: after.mode, newBlob: after.id }),
  };
}
