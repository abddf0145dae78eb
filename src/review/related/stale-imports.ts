// Which lines still import a file by the path it had before it moved? Told by the lines alone, since they are all a search hands over.
import type { WordHit } from '../../git/objects/grep-words.js';
import { folderOf, resolveImport } from './path-kinship.js';

const script = /\.(?:[cm]?[jt]sx?|vue|svelte)$/;

/** Files whose imports name them by path. */
export function isImportedByPath(path: string): boolean {
  return script.test(path) || path.endsWith('.py');
}

/** The word by which lines that import the file are found. */
export function importWord(path: string): string {
  const stem = path.slice(path.lastIndexOf('/') + 1).replace(/\.[^.]*$/, '');
  if (stem !== 'index' && stem !== '__init__') return stem;
  const folder = folderOf(path);
  return folder.slice(folder.lastIndexOf('/') + 1) || stem;
}

/** `paths` are those of the new tree; what resolves among them is not broken. */
export function staleImports(
  oldPath: string,
  hits: readonly WordHit[],
  paths: ReadonlySet<string>,
): WordHit[] {
  if (paths.has(oldPath)) return [];
  const meant = new Set([oldPath]);
  const isStale = (from: string, module: string) =>
    resolveImport(from, module, paths) === undefined && resolveImport(from, module, meant) === oldPath;
  const isPython = oldPath.endsWith('.py');
  return hits.filter(({ path, text }) => {
    if (isPython !== path.endsWith('.py') || !isImportedByPath(path)) return false;
    if (/^\s*(?:\/\/|\*|\/\*|#)/.test(text)) return false;
    const modules = isPython ? pythonModules(text) : scriptModules(text);
    return modules.some((module) => isStale(path, module));
  });
}

/** What is quoted and relative: `require`, `import`, and what mocks or resolves them. */
function scriptModules(text: string): string[] {
  return [...text.matchAll(/(['"`])(\.{1,2}\/[^'"`]*)\1/g)].map(([, , module = '']) => module);
}

/** `import a.b`, `from .a import b`, and of `from . import a` the module it would be. */
function pythonModules(text: string): string[] {
  const [, plain] = /^\s*import\s+(.+)$/.exec(text) ?? [];
  if (plain !== undefined) return plain.split(',').map((one) => one.trim().split(/\s/)[0] ?? '');
  const [, module = '', list = ''] = /^\s*from\s+([\w.]+)\s+import\s+(.+)$/.exec(text) ?? [];
  if (module === '') return [];
  const names = list.replace(/[()]|#.*$/g, '').split(',');
  const inner = names.map((one) => one.trim().split(/\s/)[0] ?? '').filter((one) => /^\w+$/.test(one));
  return [module, ...inner.map((one) => (module.endsWith('.') ? `${module}${one}` : `${module}.${one}`))];
}
