// Which file of the tree a module specifier means; a best guess by name, nothing is read.
import { folderOf } from './path-kinship.js';

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
