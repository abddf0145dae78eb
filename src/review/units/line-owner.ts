// To which symbol does a line belong? Functions, methods and tests own their lines; classes and types own what is left of
// theirs; one-line declarations and imports belong to the file.
import { enclosingChain, isImported } from '../../code/range-evidence.js';
import { type CodeSymbol, lineKind, type Outline } from '../../code/syntax/outline-model.js';

export type LineOwner = CodeSymbol | 'imports' | 'top-level' | 'data';

const wholeFile = new Set(
  'yaml json toml ini xml html css text terraform dockerfile makefile vue svelte protobuf graphql notebook'.split(
    ' ',
  ),
);

/** Shorter functions inside functions are read with the one around them. */
const smallestInner = 12;

export function lineOwner(outline: Outline, line: number): LineOwner {
  if (!outline.parsed && wholeFile.has(outline.language)) return 'top-level';
  if (outline.lineKinds[line - 1] === lineKind.data) return 'data';
  const owner = enclosingOwner(outline, line);
  if (owner !== undefined && isCallable(owner)) return owner;
  if (isImported(outline, line)) return 'imports';
  const documented = outline.lineKinds[line - 1] === lineKind.comment ? ownerBelow(outline, line) : undefined;
  return documented ?? owner ?? 'top-level';
}

function enclosingOwner(outline: Outline, line: number): CodeSymbol | undefined {
  return enclosingChain(outline, line).findLast((symbol) => owns(outline, symbol));
}

function owns(outline: Outline, symbol: CodeSymbol): boolean {
  const { kind, startLine, endLine } = symbol;
  if (kind === 'test') return true;
  if (isCallable(symbol)) return !isLocal(outline, symbol) || endLine - startLine + 1 >= smallestInner;
  if (kind === 'field' || kind === 'block') return false;
  return endLine > startLine && !isLocal(outline, symbol);
}

/** Inside a function, at any depth. */
export function isLocal(outline: Pick<Outline, 'symbols'>, symbol: CodeSymbol): boolean {
  for (let at = symbol.parent; at !== undefined; at = outline.symbols[at]?.parent)
    if (isCallable(outline.symbols[at]!)) return true;
  return false;
}

export function isCallable({ kind }: CodeSymbol): boolean {
  return kind === 'function' || kind === 'method' || kind === 'test';
}

/** A comment directly above a declaration speaks for it. */
function ownerBelow(outline: Outline, line: number): CodeSymbol | undefined {
  let below = line + 1;
  while (outline.lineKinds[below - 1] === lineKind.comment) below += 1;
  if (outline.lineKinds[below - 1] !== lineKind.code) return undefined;
  const owner = enclosingOwner(outline, below);
  return owner?.startLine === below ? owner : undefined;
}
