// Where is a symbol defined that a request names? In the file of the unit, where that file imports it from, or where the word
// stands as a declaration.
import { languageOf } from '../../../code/language.js';
import type { CodeSymbol } from '../../../code/syntax/outline-model.js';
import { resolveImport } from '../../related/resolve-import.js';
import type { FileSide } from '../../units/changed-file.js';
import { isCallable } from '../../units/line-owner.js';
import type { ReviewUnit } from '../../units/unit.js';
import { byCloseness, sameFamily } from './closeness.js';
import type { Definition } from './in-scope.js';
import type { RequestGround } from './request-ground.js';

export interface LocatedDefinition extends Definition {
  readonly callable: boolean;
  /** The class or receiver of a method. */
  readonly owner?: string;
  /** Its own lines in the new tree. */
  readonly own?: { readonly startLine: number; readonly endLine: number };
}

const mostOpened = 20;

export async function locateDefinition(
  name: string,
  unit: ReviewUnit,
  ground: RequestGround,
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
    .flatMap(({ module }) => resolveImport(home.path, module, ground.paths) ?? []);
  const mentioned = ground
    .hits(name)
    .map(({ path }) => path)
    .filter((path) => sameFamily(languageOf(path), languageOf(unit.path)));
  const paths = [...new Set(mentioned)].sort(byCloseness(unit.path)).slice(0, mostOpened);
  const files = await ground.library.open([...new Set([...(imported ?? []), ...paths])]);
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

function located(file: FileSide, symbol: CodeSymbol, isNew: boolean): LocatedDefinition {
  const { startLine, endLine, kind, parent, name } = symbol;
  const owner = parent === undefined ? 'receiver' : (file.outline.symbols[parent]?.name ?? 'receiver');
  return {
    name,
    path: file.path,
    callable: isCallable(symbol),
    ...(kind === 'method' ? { owner } : {}),
    ...(isNew ? { own: { startLine, endLine } } : {}),
  };
}
