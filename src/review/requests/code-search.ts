// What requests search in: the new tree with all their words looked up in one go. Where is a symbol defined, and does its name in
// another file mean it?
import { languageOf } from '../../code/language.js';
import type { LineRange } from '../../code/range-evidence.js';
import type { CodeSymbol, SymbolKind } from '../../code/syntax/outline-model.js';
import { byCodePoint } from '../../core/model/code-points.js';
import type { WordHit } from '../../git/objects/grep-words.js';
import { folderOf, isAsidePath, isTestPath, resolveImport, sharedFolders } from '../related/path-kinship.js';
import type { FileSide, TreeLibrary } from '../units/changed-file.js';
import { isCallable } from '../units/line-owner.js';
import type { ReviewUnit } from '../units/unit.js';
import { type Definition, moduleNames } from './symbol-reach.js';

export interface CodeSearch {
  readonly library: TreeLibrary;
  /** Every path of the tree, and old paths of what was removed. */
  readonly paths: ReadonlySet<string>;
  hits(word: string): readonly WordHit[];
  /** Looks up words that only turned out to matter while searching. */
  look(words: readonly string[]): Promise<void>;
}

/** A place that answers a request. */
export interface Reference {
  readonly path: string;
  readonly line: number;
  readonly startLine: number;
  readonly endLine: number;
  /** Name of the symbol around it. */
  readonly within?: string;
  /** `possible` where only the name speaks for it. */
  readonly certainty: 'certain' | 'possible';
}

export interface References {
  /** Best first. */
  readonly found: readonly Reference[];
  /** What was found before any cap. */
  readonly total: number;
  /** Places with the word in files that were not opened. */
  readonly unchecked: number;
}

/** Which of many places are worth opening first: code before tests and examples, near before far. */
export function byCloseness(home: string): (left: string, right: string) => number {
  const distance = (path: string): number => {
    if (path === home) return -1;
    const isLater = (isTestPath(path) && !isTestPath(home)) || (isAsidePath(path) && !isAsidePath(home));
    return (isLater ? 2 : 0) + (1 - sharedFolders(path, home));
  };
  return (left, right) => distance(left) - distance(right) || byCodePoint(left, right);
}

const families: readonly (readonly string[])[] = [
  ['javascript', 'typescript', 'tsx', 'vue', 'svelte', 'html'],
  ['c', 'cpp', 'objc'],
  ['java', 'kotlin', 'scala'],
];

/** Languages whose files can call each other. */
export function sameFamily(left: string, right: string): boolean {
  return left === right || families.some((family) => family.includes(left) && family.includes(right));
}

const titled: ReadonlySet<SymbolKind> = new Set(['test', 'block']);
const door = /(?:^|\/)(?:index|mod|main|__init__|lib)\.[a-z]+$/;

/** Whether a name in one file means the symbol of another: by imports, packages and definitions of its own. */
export function inScope(file: FileSide, { name, path }: Definition, paths: ReadonlySet<string>): boolean {
  if (file.path === path) return true;
  const { outline } = file;
  // A test named after what it tests defines nothing.
  const defines = outline.symbols.some(
    (symbol) =>
      symbol.name === name &&
      symbol.parent === undefined &&
      !titled.has(symbol.kind) &&
      !takesOver(file, symbol, { name, path }, paths),
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

/** `const rate = require('./rates').rate` and `const rate = rates.rate` name what another file defines. */
function takesOver(
  file: FileSide,
  { kind, startLine, name }: CodeSymbol,
  definition: Definition,
  paths: ReadonlySet<string>,
): boolean {
  if (kind !== 'variable') return false;
  const isImport = file.outline.imports.some(
    (one) => one.startLine <= startLine && startLine <= one.endLine && one.names.includes(name),
  );
  if (isImport) return true;
  const [, holder = '', member] =
    /=\s*([\w$]+)\s*\.\s*([\w$]+)\s*[;,]?\s*$/.exec(file.lines[startLine - 1] ?? '') ?? [];
  return member === name && moduleNames(file, definition, paths).has(holder);
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

interface LocatedDefinition extends Definition {
  readonly callable: boolean;
  /** The class or receiver of a method. */
  readonly owner?: string;
  /** Not reached through values: neither a method nor a function that was put into an object. */
  readonly plain?: boolean;
  /** Its own lines in the new tree. */
  readonly own?: LineRange;
}

const maxOpened = 20;

/** In the file of the unit, where that file imports it from, or where the word stands as a declaration. */
export async function locateDefinition(
  name: string,
  unit: ReviewUnit,
  search: CodeSearch,
): Promise<LocatedDefinition> {
  const { before, after, patch } = unit.file;
  const own = [unit.symbol, unit.oldSymbol].find((symbol) => symbol?.name === name);
  for (const side of [after, before]) {
    const symbols = side?.outline.symbols ?? [];
    const symbol = own !== undefined && symbols.includes(own) ? own : declared(side, name);
    if (side !== undefined && symbol !== undefined) return located(side, symbol, side === after);
  }
  const home = after ?? before;
  const imported = home?.outline.imports
    .filter(({ names }) => names.includes(name))
    .flatMap(({ module }) => resolveImport(home.path, module, search.paths) ?? []);
  const mentioned = search
    .hits(name)
    .map(({ path }) => path)
    .filter((path) => sameFamily(languageOf(path), languageOf(unit.path)));
  const paths = [...new Set(mentioned)].sort(byCloseness(unit.path)).slice(0, maxOpened);
  const files = await search.library.open([...new Set([...(imported ?? []), ...paths])]);
  for (const file of files.values()) {
    const symbol = declared(file, name);
    if (symbol !== undefined) return located(file, symbol, true);
  }
  return { name, path: patch.entry.path, callable: true };
}

function declared(file: FileSide | undefined, name: string): CodeSymbol | undefined {
  const named = file?.outline.symbols.filter((symbol) => symbol.name === name) ?? [];
  return named.find(({ parent }) => parent === undefined) ?? named[0];
}

/** `app.handle = function` and `handle: function`, which any value may hold; what is put into exports is the module's. */
const put =
  /^(?!(?:module\.)?exports\.[\w$]+\s*=)(?:[\w$]+(?:\.[\w$#]+)+\s*=|(?:[\w$]+|'[^']*'|"[^"]*"|\[[^\]]*\])\s*:)/;

function located(file: FileSide, symbol: CodeSymbol, isNew: boolean): LocatedDefinition {
  const { startLine, endLine, kind, parent, name, signature } = symbol;
  const owner = parent === undefined ? 'receiver' : (file.outline.symbols[parent]?.name ?? 'receiver');
  return {
    name,
    path: file.path,
    callable: isCallable(symbol),
    ...(kind === 'method' ? { owner } : {}),
    plain: kind !== 'method' && kind !== 'field' && !put.test(signature),
    ...(isNew ? { own: { startLine, endLine } } : {}),
  };
}
