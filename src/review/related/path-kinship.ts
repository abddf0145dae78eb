// How close two paths are by name alone: folder, stem, test and implementation, and which file an import means.
const testMark = /(?:^|[./_-])(?:tests?|specs?|__tests__|testsuite|testdata)(?=[./_-]|$)/iu;
/** `PriceTest.java`, `jvmTest/`, `UnitTests/`, `testFixtures/`: languages that write names in humps mark tests so, too. */
const testHump = /[a-z0-9](?:Tests?|TestCase|Specs?)(?=[./_-]|$)|(?:^|\/)test[A-Z][A-Za-z]*\//u;

export function isTestPath(path: string): boolean {
  return testMark.test(path) || testHump.test(path);
}

const asideMark =
  /(?:^|[./_-])(?:examples?|samples?|fixtures?|bench(?:es|marks?)?|docs?|website|__mocks__|mocks?|demos?|playgrounds?|stories|generated|vendor|dist|node_modules|third_party)\/|\.(?:d|config|stories)\.[cm]?[jt]sx?$/iu;

/** Not what a program does: examples, fixtures, benchmarks, documents, what is generated or not one's own. */
export function isAsidePath(path: string): boolean {
  return asideMark.test(path);
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

const endings = [
  '',
  '.ts',
  '.tsx',
  '.js',
  '.jsx',
  '.mjs',
  '.cjs',
  '.mts',
  '.cts',
  '.py',
  '.svelte',
  '.vue',
  '.go',
  '.rs',
];
const doors = ['index.ts', 'index.tsx', 'index.js', 'index.mjs', '__init__.py', 'mod.ts', 'mod.rs'];

/** Which file of the tree a module specifier means; a best guess by name, nothing is read. */
export function resolveImport(
  from: string,
  specifier: string,
  paths: ReadonlySet<string>,
): string | undefined {
  if (specifier.startsWith('.')) {
    if (from.endsWith('.py')) return resolvePython(from, specifier, paths);
    return firstOf(join(folderOf(from), specifier), paths);
  }
  if (from.endsWith('.py')) return resolvePython(from, specifier, paths);
  return undefined;
}

function firstOf(target: string, paths: ReadonlySet<string>): string | undefined {
  const bare = target.replace(/\.(?:[cm]?jsx?|[cm]?tsx?)$/u, '');
  for (const stem of bare === target ? [target] : [target, bare]) {
    for (const ending of endings) if (paths.has(stem + ending)) return stem + ending;
    for (const door of doors) if (paths.has(`${stem}/${door}`)) return `${stem}/${door}`;
  }
  return undefined;
}

function resolvePython(from: string, specifier: string, paths: ReadonlySet<string>): string | undefined {
  const dots = /^\.*/u.exec(specifier)![0].length;
  const tail = specifier
    .slice(dots)
    .split('.')
    .filter((part) => part !== '')
    .join('/');
  if (dots > 0) {
    let folder = folderOf(from);
    for (let up = 1; up < dots; up += 1) folder = folderOf(folder);
    return firstOf(tail === '' ? folder : join(folder, tail), paths);
  }
  for (const root of ['', 'src', folderOf(from)]) {
    const found = firstOf(root === '' ? tail : `${root}/${tail}`, paths);
    if (found !== undefined) return found;
  }
  return undefined;
}

function join(folder: string, relative: string): string {
  const out = folder === '' ? [] : folder.split('/');
  for (const part of relative.split('/')) {
    if (part === '' || part === '.') continue;
    if (part === '..') out.pop();
    else out.push(part);
  }
  return out.join('/');
}
