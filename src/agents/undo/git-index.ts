// What stands in git's index of a folder, entry by entry, and how what a turn staged is taken back: an entry is touched only if it is
// still exactly what the turn left, as with files.
import { userEnvironment } from '../../git/process/environment.js';
import { askGit, type GitPlace, readGit } from '../../git/process/run-git.js';

export interface GitState {
  readonly head?: string;
  /** The index as git lists it, one character a byte. */
  readonly index?: string;
}

/** Nothing that the settings of the repository name is run. */
const settings = ['-c', 'core.fsmonitor=false', '-c', 'core.hooksPath=/dev/null'];

const placeIn = (folder: string): GitPlace => ({ folder, settings, environment: userEnvironment() });

export async function gitStateOf(folder: string): Promise<GitState> {
  const place = placeIn(folder);
  const head = await askGit(place, ['rev-parse', '--verify', '--quiet', 'HEAD']).catch(() => undefined);
  const listed = await readGit(place, ['ls-files', '--full-name', '--stage', '-z']).catch(() => undefined);
  return {
    ...(head === undefined ? {} : { head }),
    ...(listed === undefined ? {} : { index: listed.output.toString('latin1') }),
  };
}

interface StagedChange {
  /** Bytes of the path below the top of the repository, one character each. */
  readonly path: string;
  /** Lines of the listing; several where a merge is under way, none where the index did not hold it. */
  readonly before: readonly string[];
}

export interface IndexUndo {
  readonly changes: readonly StagedChange[];
  /** Whether the turn changed more than can be brought back. */
  readonly isPartial: boolean;
}

/** What is to be done so that `now` is as it was `before` again, where it is still what the turn left. */
export function planIndex(before: string, after: string, now: string): IndexUndo {
  const [was, left, is] = [before, after, now].map(entriesOf) as [Entries, Entries, Entries];
  const isSame = (path: string, one: Entries, other: Entries) =>
    (one.get(path) ?? []).join('\0') === (other.get(path) ?? []).join('\0');
  const changed = [...new Set([...was.keys(), ...left.keys()])].filter(
    (path) => !isSame(path, was, left) && !isSame(path, was, is),
  );
  const own = changed.filter((path) => isSame(path, left, is));
  return {
    changes: own.map((path) => ({ path, before: was.get(path) ?? [] })),
    isPartial: own.length < changed.length,
  };
}

type Entries = ReadonlyMap<string, readonly string[]>;

function entriesOf(listing: string): Entries {
  const entries = new Map<string, string[]>();
  for (const line of listing.split('\0')) {
    const path = line.slice(line.indexOf('\t') + 1);
    if (line !== '') entries.set(path, [...(entries.get(path) ?? []), line]);
  }
  return entries;
}

/** All of it at once, under git's own lock; false where git does not let it, or does not have what was staged any more. */
export async function bringIndexBack(folder: string, { changes }: IndexUndo): Promise<boolean> {
  const place = placeIn(folder);
  try {
    const lines = changes.flatMap(({ before }) => before);
    // Of a submodule the index holds a commit, which is not in this repository.
    const blobs = lines.flatMap((line) => (line.startsWith('160000') ? [] : [`${objectOf(line)}\n`]));
    const found = (await readGit(place, ['cat-file', '--batch-check'], { input: blobs })).output;
    if (found.includes(' missing\n')) return false;
    const none = '0'.repeat(objectOf(lines[0] ?? '').length || (await nameLength(place)));
    const input = [...changes.map(({ path }) => `0 ${none}\t${path}`), ...lines];
    await readGit(place, ['update-index', '-z', '--index-info'], {
      input: input.map((line) => Buffer.from(`${line}\0`, 'latin1')),
    });
    return true;
  } catch {
    return false;
  }
}

const objectOf = (line: string) => line.split(' ')[1] ?? '';

/** Tells how long the names of objects are in this repository. */
async function nameLength(place: GitPlace): Promise<number> {
  return (await askGit(place, ['rev-parse', '--show-object-format'])) === 'sha256' ? 64 : 40;
}
