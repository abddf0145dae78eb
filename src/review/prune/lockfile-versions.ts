// Which packages does a lockfile pin, and to which versions? Read by pattern: enough to tell what moved, never to install.

export type Versions = ReadonlyMap<string, ReadonlySet<string>>;

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
