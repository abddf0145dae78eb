// Which files of the tree an import means, in languages that name packages rather than files. One plain rule for each language, by
// names alone: nothing is read, and a name that fits several places by its end alone means none of them.
import { folderOf, resolveImport } from './path-kinship.js';

/** What the rules look things up in; made once for each list of paths. */
interface Tree {
  readonly paths: ReadonlySet<string>;
  /** Paths that end with these names, by their last one. */
  endingWith(tail: string): readonly string[];
  /** Files that stand in a folder itself. */
  filesIn(folder: string): readonly string[];
  /** Folders that end with these names, whether slashes or dots stand between them. */
  foldersEnding(tail: string): readonly string[];
}

type Rule = (from: string, module: string, tree: Tree) => readonly string[];

/** `a.b.C` is `…/a/b/C`; what follows a type is a member of it, and a package alone stands for its files. */
const jvm: Rule = (_, module, tree) => {
  const names = module.split('.');
  for (let length = names.length; length >= Math.max(2, names.length - 2); length -= 1) {
    const stem = names.slice(0, length).join('/');
    const found = ['java', 'kt', 'scala'].flatMap((ending) => tree.endingWith(`${stem}.${ending}`));
    if (found.length > 0) return found;
  }
  return tree.foldersEnding(names.join('/')).flatMap(tree.filesIn);
};

/** A namespace is the end of a folder's way; projects have dots in their names, too. */
const csharp: Rule = (_, module, tree) =>
  tree
    .foldersEnding(module)
    .flatMap(tree.filesIn)
    .filter((path) => path.endsWith('.cs'));

/** A package is a folder below host, owner and repository; a version may stand between. */
const go: Rule = (from, module, tree) => {
  const [host = '', , , ...below] = module.split('/');
  if (!host.includes('.')) return [];
  const folder = below.filter((name, at) => at > 0 || !/^v\d+$/u.test(name)).join('/');
  // The root of a module could be anybody's.
  if (folder === '' || folder === folderOf(from)) return [];
  return tree.filesIn(folder).filter((path) => path.endsWith('.go') && !path.endsWith('_test.go'));
};

/** From the crate's root, from the module at hand, or from a crate of the workspace whose folder has its name. */
const rust: Rule = (from, module, { paths, endingWith }) => {
  const [head = '', ...rest] = module.split('::');
  const root = /^(?:.*\/)?src(?=\/)/u.exec(from)?.[0];
  const isDoor = /(?:^|\/)(?:mod|lib|main)\.rs$/u.test(from);
  const self = isDoor ? folderOf(from) : from.replace(/\.rs$/u, '');
  const [crate] = endingWith(`${head.replaceAll('_', '-')}/src/lib.rs`);
  let folder: string | undefined;
  if (head === 'crate') folder = root;
  else if (head === 'self') folder = self;
  else if (head === 'super') folder = folderOf(self);
  else folder = crate === undefined ? undefined : folderOf(crate);
  if (folder === undefined) return [];
  while (rest[0] === 'super') {
    rest.shift();
    folder = folderOf(folder);
  }
  for (let length = rest.length; length > 0; length -= 1) {
    const stem = [folder, ...rest.slice(0, length)].filter((name) => name !== '').join('/');
    for (const path of [`${stem}.rs`, `${stem}/mod.rs`]) if (paths.has(path)) return [path];
  }
  return [];
};

/** Beside the file, or below a folder of the load path. */
const ruby: Rule = (from, module, tree) => {
  const name = module.endsWith('.rb') ? module : `${module}.rb`;
  const beside = resolveImport(from, `./${name}`, tree.paths);
  return beside === undefined ? tree.endingWith(`lib/${name}`) : [beside];
};

/** Beside the file, or the one file that ends so. */
const c: Rule = (from, module, tree) => {
  const beside = resolveImport(from, `./${module}`, tree.paths);
  return beside === undefined ? theOnly(tree.endingWith(module)) : [beside];
};

/** The longest end of the name, of two names at least, that only one file has: vendors' prefixes stand for folders. */
const php: Rule = (_, module, tree) => {
  const names = module.split('\\');
  for (let first = 0; first + 2 <= names.length; first += 1) {
    const found = tree.endingWith(`${names.slice(first).join('/')}.php`);
    if (found.length > 0) return theOnly(found);
  }
  return [];
};

/** `package:name/x` stands in the folder `lib` of that package; others are beside the file. */
const dart: Rule = (from, module, tree) => {
  const [, name, rest] = /^package:([^/]+)\/(.+)$/u.exec(module) ?? [];
  if (rest === undefined) {
    const beside = module.includes(':') ? undefined : resolveImport(from, `./${module}`, tree.paths);
    return beside === undefined ? [] : [beside];
  }
  const own = tree.endingWith(`${name}/lib/${rest}`);
  return own.length > 0 ? own : [`lib/${rest}`].filter((path) => tree.paths.has(path));
};

const rules: readonly (readonly [RegExp, Rule])[] = [
  [/\.(?:java|kts?|scala)$/u, jvm],
  [/\.cs$/u, csharp],
  [/\.go$/u, go],
  [/\.rs$/u, rust],
  [/\.rb$/u, ruby],
  [/\.(?:c|cc|cpp|cxx|h|hh|hpp|hxx|m|mm)$/u, c],
  [/\.php$/u, php],
  [/\.dart$/u, dart],
];

function theOnly(paths: readonly string[]): readonly string[] {
  return paths.length === 1 ? paths : [];
}

/** The files that imports of a file mean, itself left out. */
export function importResolver(
  list: readonly string[],
  paths: ReadonlySet<string>,
): (from: string, module: string) => readonly string[] {
  let tree: Tree | undefined;
  return (from, module) => {
    const rule = rules.find(([ending]) => ending.test(from))?.[1];
    if (rule === undefined) {
      const target = resolveImport(from, module, paths);
      return target === undefined ? [] : [target];
    }
    tree ??= treeOf(list, paths);
    return rule(from, module, tree).filter((path) => path !== from);
  };
}

function treeOf(list: readonly string[], paths: ReadonlySet<string>): Tree {
  const byName = new Map<string, string[]>();
  const byFolder = new Map<string, string[]>();
  for (const path of list) {
    push(byName, path.slice(path.lastIndexOf('/') + 1), path);
    push(byFolder, folderOf(path), path);
  }
  return {
    paths,
    endingWith(tail) {
      const named = byName.get(tail.slice(tail.lastIndexOf('/') + 1)) ?? [];
      return named.filter((path) => path === tail || path.endsWith(`/${tail}`));
    },
    filesIn: (folder) => byFolder.get(folder) ?? [],
    foldersEnding(tail) {
      const dotted = tail.replaceAll('/', '.');
      return [...byFolder.keys()].filter((folder) => {
        const end = `/${folder}`.slice(-dotted.length - 1);
        return end.startsWith('/') && end.slice(1).replaceAll('/', '.') === dotted;
      });
    },
  };
}

function push(map: Map<string, string[]>, key: string, value: string): void {
  const list = map.get(key);
  if (list === undefined) map.set(key, [value]);
  else list.push(value);
}
