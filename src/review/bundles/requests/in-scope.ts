// Does a name in one file mean the symbol of another? By imports, packages and definitions of its own.

import type { SymbolKind } from '../../../code/syntax/outline-model.js';
import { folderOf } from '../../related/path-kinship.js';
import { resolveImport } from '../../related/resolve-import.js';
import type { FileSide } from '../../units/changed-file.js';

export interface Definition {
  readonly name: string;
  /** The file that defines it. */
  readonly path: string;
}

const titled: ReadonlySet<SymbolKind> = new Set(['test', 'block']);
const door = /(?:^|\/)(?:index|mod|main|__init__|lib)\.[a-z]+$/;

export function inScope(file: FileSide, { name, path }: Definition, paths: ReadonlySet<string>): boolean {
  if (file.path === path) return true;
  const { outline } = file;
  // A test named after what it tests defines nothing.
  const defines = outline.symbols.some(
    (symbol) => symbol.name === name && symbol.parent === undefined && !titled.has(symbol.kind),
  );
  if (defines) return false;
  if (outline.language === 'go') return goScope(file, path);
  const stem = path.slice(path.lastIndexOf('/') + 1).replace(/\.[^.]*$/, '');
  return outline.imports.some(({ module, names }) => {
    const target = resolveImport(file.path, module, paths);
    if (target === path) return names.length === 0 || names.some((one) => speaksFor(one, name));
    // `from . import helpers` brings a module, whose members are reached through it.
    if (names.includes(stem) && (target === undefined || folderOf(target) === folderOf(path))) return true;
    if (!names.includes(name)) return false;
    // Doors pass on what stands behind them; packages by name cannot be followed.
    return target === undefined ? !isForeign(file.path, module) : door.test(target);
  });
}

function speaksFor(imported: string, name: string): boolean {
  return imported === name || imported === '*' || imported === 'default';
}

/** A bare JavaScript specifier is another package, unless it looks like an alias of a folder. */
function isForeign(from: string, module: string): boolean {
  if (/\.py$/.test(from)) return false;
  return /^(?:node:|[a-z@][\w.-]*$)/.test(module);
}

function goScope(file: FileSide, path: string): boolean {
  const folder = folderOf(path);
  if (folderOf(file.path) === folder) return true;
  const last = folder.slice(folder.lastIndexOf('/') + 1);
  return file.outline.imports.some(({ module }) =>
    folder === '' ? false : module === folder || module.endsWith(`/${folder}`) || module.endsWith(`/${last}`),
  );
}
