// How close two paths are by name alone: folder, stem, test and implementation.

const testMark = /(?:^|[./_-])(?:tests?|specs?|__tests__|testsuite|testdata)(?=[./_-]|$)/iu;

export function isTestPath(path: string): boolean {
  return testMark.test(path);
}

/** The file's name without extensions and test marks, in lower case; `index` files take their folder's name. */
export function stemOf(path: string): string {
  const names = path.split('/');
  const base = names.at(-1) ?? '';
  const bare = base.replace(/\.[^.]*$/u, '').toLowerCase();
  const stem = bare
    .replace(/(?:[._-](?:test|tests|spec|bench|d))+$/u, '')
    .replace(/^(?:test|tests|spec)[._-]/u, '');
  if (stem === 'index' || stem === '__init__' || stem === 'mod') return (names.at(-2) ?? stem).toLowerCase();
  return stem;
}

export function folderOf(path: string): string {
  const slash = path.lastIndexOf('/');
  return slash < 0 ? '' : path.slice(0, slash);
}

/** Share of names two folders have in common, from both ends, 0 to 1. */
export function sharedFolders(left: string, right: string): number {
  const a = left.split('/');
  const b = right.split('/');
  const shorter = Math.min(a.length, b.length);
  let head = 0;
  while (head < shorter && a[head] === b[head]) head += 1;
  let tail = 0;
  while (tail < shorter - head && a[a.length - 1 - tail] === b[b.length - 1 - tail]) tail += 1;
  return (head + tail) / Math.max(a.length, b.length);
}
