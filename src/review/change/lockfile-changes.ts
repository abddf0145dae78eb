// What moved inside lockfiles, in one line a package: the lines themselves are never sent. Lockfiles are read by pattern: enough to
// tell what moved, never to install.
import { byCodePoint } from '../../core/model/code-points.js';
import type { ChangeEntry } from '../../git/changes/change-entry.js';
import { readBlobs } from '../../git/objects/tree-files.js';
import type { Repository } from '../../git/repository/open-repository.js';
import type { Omission } from './omission.js';

export interface DependencyChange {
  readonly path: string;
  readonly package: string;
  /** Absent for a package that is new. */
  readonly from?: string;
  /** Absent for a package that is gone. */
  readonly to?: string;
}

const maxBytes = 32 * 1024 * 1024;

export async function summariseLockfiles(
  repository: Repository,
  entries: readonly ChangeEntry[],
  omitted: readonly Omission[],
): Promise<DependencyChange[]> {
  const locks = new Set(omitted.filter(({ rule }) => rule === 'lockfile').map(({ path }) => path));
  const changes: DependencyChange[] = [];
  for (const entry of entries.filter(({ path, kind }) => locks.has(path) && kind === 'file')) {
    const before = await versionsOf(repository, entry.oldPath ?? entry.path, entry.oldBlob);
    const after = await versionsOf(repository, entry.path, entry.newBlob);
    if (before === undefined || after === undefined) continue;
    changes.push(...differences(entry.path, before, after));
  }
  return changes;
}

export function dependencyLine({ path, package: name, from, to }: DependencyChange): string {
  return `- ${path}: ${name} ${from ?? '(new)'} -> ${to ?? '(gone)'}`;
}

async function versionsOf(
  repository: Repository,
  path: string,
  blob: string | undefined,
): Promise<Versions | undefined> {
  if (blob === undefined) return new Map();
  const answer = (await readBlobs(repository, [blob], { maxBytes: maxBytes })).get(blob);
  return answer?.kind === 'content' ? lockfileVersions(path, answer.bytes.toString('utf8')) : undefined;
}

function differences(path: string, before: Versions, after: Versions): DependencyChange[] {
  const names = [...new Set([...before.keys(), ...after.keys()])].sort(byCodePoint);
  return names.flatMap((name): DependencyChange[] => {
    const listed = (versions: Versions, other: Versions) =>
      [...(versions.get(name) ?? [])].filter((version) => !other.get(name)?.has(version)).sort(byCodePoint);
    const from = listed(before, after).join(', ');
    const to = listed(after, before).join(', ');
    if (from === '' && to === '') return [];
    return [{ path, package: name, ...(from === '' ? {} : { from }), ...(to === '' ? {} : { to }) }];
  });
}

type Versions = ReadonlyMap<string, ReadonlySet<string>>;

type Reader = (text: string, add: (name: string, version: string) => void) => void;

const byPattern =
  (pattern: RegExp): Reader =>
  (text, add) => {
    for (const [, name = '', version = ''] of text.matchAll(pattern)) add(name, version);
  };

const npm: Reader = (text, add) => {
  const lock = JSON.parse(text) as {
    packages?: Record<string, { version?: unknown }>;
    dependencies?: unknown;
  };
  for (const [place, entry] of Object.entries(lock.packages ?? {})) {
    const name = place.slice(place.lastIndexOf('node_modules/') + 'node_modules/'.length);
    if (place.includes('node_modules/') && typeof entry?.version === 'string') add(name, entry.version);
  }
  if (lock.packages !== undefined) return;
  const walk = (list: unknown): void => {
    if (typeof list !== 'object' || list === null) return;
    for (const [name, entry] of Object.entries(
      list as Record<string, { version?: unknown; dependencies?: unknown }>,
    )) {
      if (typeof entry?.version === 'string') add(name, entry.version);
      walk(entry?.dependencies);
    }
  };
  walk(lock.dependencies);
};

const composer: Reader = (text, add) => {
  const lock = JSON.parse(text) as Record<string, { name?: unknown; version?: unknown }[] | undefined>;
  for (const { name, version } of [...(lock.packages ?? []), ...(lock['packages-dev'] ?? [])])
    if (typeof name === 'string' && typeof version === 'string') add(name, version);
};

const readers: readonly (readonly [RegExp, Reader])[] = [
  [/^(package-lock|npm-shrinkwrap)\.json$/, npm],
  [/^composer\.lock$/, composer],
  [/^yarn\.lock$/, byPattern(/^"?(@?[^@\s"]+)@[^\n]*:\n {2}version:? "?([^"\s]+)"?/gm)],
  [/^pnpm-lock\.ya?ml$/, byPattern(/^ {2}'?\/?(@?[^@\s'(]+)[@/](\d[^:('\s_]*)[^:\n]*:/gm)],
  [/^go(\.work)?\.sum$/, byPattern(/^(\S+) (v[^\s/]+) h1:/gm)],
  [/^Gemfile\.lock$/, byPattern(/^ {4}(\S+) \(([^)]+)\)$/gm)],
  [/^(Cargo|poetry|uv|pdm)\.lock$/, byPattern(/^name = "([^"]+)"\nversion = "([^"]+)"/gm)],
  [/^(Pipfile\.lock)$/, byPattern(/"([A-Za-z0-9_.-]+)": \{[^{}]*?"version": "==([^"]+)"/g)],
  [/^mix\.lock$/, byPattern(/^ {2}"([^"]+)": \{:hex, :[^,]+, "([^"]+)"/gm)],
  [/^pubspec\.lock$/, byPattern(/^ {2}(\w+):\n(?: {4}[^\n]*\n)*? {4}version: "([^"]+)"/gm)],
];

/** Undefined for a format we cannot read, or a file that is not what its name says. */
export function lockfileVersions(path: string, text: string): Versions | undefined {
  const name = path.slice(path.lastIndexOf('/') + 1);
  const reader = readers.find(([pattern]) => pattern.test(name))?.[1];
  if (reader === undefined) return undefined;
  const versions = new Map<string, Set<string>>();
  try {
    reader(text, (key, version) => versions.set(key, (versions.get(key) ?? new Set()).add(version)));
  } catch {
    return undefined;
  }
  return versions;
}
