// What became of the symbols whose declarations a unit touches: added, removed, renamed, signatures, contracts.

import { overlaps } from '../../code/range-evidence.js';
import type { SymbolChange } from '../../code/symbol-changes.js';
import type { CodeSymbol, Outline } from '../../code/syntax/outline-model.js';
import { plainLanguages } from '../../code/tables/plain-languages.js';
import { type ChangedFile, languageOf } from '../units/changed-file.js';
import { isCallable, isLocal } from '../units/line-owner.js';
import type { ReviewUnit } from '../units/unit.js';
import { sameForCallers } from './renamed-parameters.js';
import type { EvidenceName } from './rule.js';

export interface SymbolFacts {
  readonly evidence: ReadonlySet<EvidenceName>;
  /** Names of public symbols whose callers may care. */
  readonly changed: readonly string[];
  /** Names that exist no more. */
  readonly gone: readonly string[];
  /** Names of interfaces that ask other things of those who implement them. */
  readonly contracts: readonly string[];
}

/** Symbols that left one file of a change and stand unchanged in another. */
export function movedSymbols(files: readonly ChangedFile[]): ReadonlySet<CodeSymbol> {
  const gone = new Map<string, { file: ChangedFile; symbol: CodeSymbol }[]>();
  const keyOf = ({ name, kind, bodyDigest }: CodeSymbol) => `${kind} ${name} ${bodyDigest}`;
  // Many a class has a field like that of another.
  const isWorth = ({ kind, startLine, endLine }: CodeSymbol) => endLine > startLine && kind !== 'field';
  for (const file of files)
    for (const change of file.symbolChanges)
      if (change.kind === 'removed' && isWorth(change.before)) {
        const key = keyOf(change.before);
        gone.set(key, [...(gone.get(key) ?? []), { file, symbol: change.before }]);
      }
  const moved = new Set<CodeSymbol>();
  for (const file of files)
    for (const change of file.symbolChanges) {
      if (change.kind !== 'added') continue;
      const left = gone.get(keyOf(change.after)) ?? [];
      const at = left.findLastIndex((one) => one.file !== file);
      if (at < 0) continue;
      moved.add(left.splice(at, 1)[0]!.symbol);
      moved.add(change.after);
    }
  return moved;
}

export function symbolFacts(unit: ReviewUnit, moved: ReadonlySet<CodeSymbol> = new Set()): SymbolFacts {
  const evidence = new Set<EvidenceName>();
  const changed = new Set<string>();
  const gone = new Set<string>();
  const contracts = new Set<string>();
  for (const change of unit.file.symbolChanges) {
    if (!touches(unit, change) || isClause(unit.file, change)) continue;
    const symbol = change.kind === 'removed' ? change.before : change.after;
    const outline = (change.kind === 'removed' ? unit.file.before : unit.file.after)?.outline;
    if (outline === undefined || !knowsSymbols(outline)) continue;
    const open = isPublic(outline, symbol) && !isOwnMacro(unit, symbol);
    if (open) evidence.add('public-symbol');
    const contract = contractOf(unit, change, outline);
    if (contract !== undefined) {
      evidence.add('contract-changed');
      contracts.add(contract);
    }
    if (moved.has(symbol)) {
      evidence.add('symbol-moved');
      const name = calledAs(outline, symbol);
      if (name !== undefined && change.kind === 'removed') gone.add(name);
    } else if (change.kind === 'added') {
      if (isNotable(outline, symbol)) evidence.add('symbol-added');
      if (open) {
        evidence.add('public-added');
        const name = calledAs(outline, symbol);
        if (name !== undefined) changed.add(name);
      }
    } else if (change.kind === 'removed') {
      const lost = isNotable(outline, symbol) ? lostNames(unit.file, outline, symbol) : [];
      if (lost.length > 0) evidence.add('symbol-removed');
      for (const name of lost) if (name !== undefined) gone.add(name);
      if (open) evidence.add('public-removed');
    } else readKept({ unit, change, outline, evidence, changed, gone });
  }
  return { evidence, changed: [...changed], gone: [...gone], contracts: [...contracts] };
}

/** One clause more or less of a function that stays is a change of its body. */
function isClause(file: ChangedFile, change: SymbolChange): boolean {
  const language = languageOf(file);
  if (change.kind === 'kept' || plainLanguages[language]?.clauses !== true) return false;
  const { name, kind } = change.kind === 'added' ? change.after : change.before;
  return file.symbolChanges.some(
    (one) => one.kind === 'kept' && one.after.name === name && one.after.kind === kind,
  );
}

/** What is gone with a symbol: of names bound by one pattern, those that nothing binds any more. */
function lostNames({ after }: ChangedFile, outline: Outline, symbol: CodeSymbol): (string | undefined)[] {
  if (!/^[[{]/.test(symbol.name)) return [calledAs(outline, symbol)];
  const bound = new Set(after?.outline.symbols.flatMap(({ name }) => name.match(/[\p{L}\p{N}_$]+/gu) ?? []));
  return (symbol.name.match(/[\p{L}_$][\p{L}\p{N}_$]*/gu) ?? []).filter((name) => !bound.has(name));
}

/** Blocks by mere indentation are no declarations. */
function knowsSymbols({ parsed, language }: Outline): boolean {
  return parsed || Object.hasOwn(plainLanguages, language);
}

/** The interface that a method came to, left or has another head in. */
function contractOf(unit: ReviewUnit, change: SymbolChange, { symbols }: Outline): string | undefined {
  const symbol = change.kind === 'removed' ? change.before : change.after;
  const owner = symbol.kind === 'method' ? symbols[symbol.parent ?? -1] : undefined;
  if (owner?.kind !== 'interface') return undefined;
  if (change.kind === 'kept') {
    const changed = change.renamed || asksOtherwise(unit, change);
    return changed && headTouched(unit, change) ? owner.name : undefined;
  }
  const side = change.kind === 'added' ? 'after' : 'before';
  const stays = unit.file.symbolChanges.some((one) => one.kind === 'kept' && one[side] === owner);
  return stays ? owner.name : undefined;
}

interface Reading {
  readonly unit: ReviewUnit;
  readonly change: Extract<SymbolChange, { kind: 'kept' }>;
  readonly outline: Outline;
  readonly evidence: Set<EvidenceName>;
  readonly changed: Set<string>;
  readonly gone: Set<string>;
}

function readKept({ unit, change, outline, evidence, changed, gone }: Reading): void {
  const { before, after } = change;
  const old = unit.file.before?.outline;
  const open =
    !isOwnMacro(unit, after) && (isPublic(outline, after) || (old !== undefined && isPublic(old, before)));
  if (open) evidence.add('public-symbol');
  if (change.renamed) {
    if (isNotable(outline, after)) {
      evidence.add('symbol-renamed');
      gone.add(before.name);
    }
    if (open) evidence.add('public-removed');
  }
  if (change.exportedChanged && isNotable(outline, after)) evidence.add('public-changed');
  const heads = headTouched(unit, change);
  // What stands inside a function is called by nobody else; where the tree is damaged, it may not stand inside.
  const isOwn = after === unit.symbol || outline.damaged || !isLocal(outline, after);
  const signature = heads && isOwn && asksOtherwise(unit, change);
  if (signature && (isCallable(after) || isCallable(before)) && after.kind !== 'test') {
    evidence.add('signature-changed');
    const name = calledAs(outline, after);
    if (name !== undefined) changed.add(name);
    if (open) evidence.add('public-changed');
  }
  // A value or a type that others use is as public as a signature.
  if (
    open &&
    (after.kind === 'variable' || after.kind === 'type') &&
    (change.bodyChanged || change.signatureChanged)
  ) {
    evidence.add('public-changed');
    changed.add(after.name);
  }
  if (signature && (after.kind === 'class' || after.kind === 'interface')) evidence.add('structure-changed');
  const contract = after.kind === 'interface' || after.kind === 'type' || after.kind === 'enum';
  if (contract && (change.bodyChanged || change.signatureChanged) && after === unit.symbol) {
    evidence.add('contract-changed');
    if (open) evidence.add('public-changed');
    changed.add(after.name);
  }
}

/** In Go, methods of two types in a file go by the same name. */
const receiver = /^func\s*\(\s*(?:\w+\s+)?\*?\s*(\w+)/;

function asksOtherwise({ file }: ReviewUnit, change: Extract<SymbolChange, { kind: 'kept' }>): boolean {
  const language = file.after?.outline.language ?? '';
  const owners = [change.before, change.after].map(({ signature }) => receiver.exec(signature)?.[1]);
  return (
    change.signatureChanged &&
    owners[0] === owners[1] &&
    !sameForCallers(language, change.before.signature, change.after.signature)
  );
}

/** In Go a method is as public as the type it belongs to. */
const hiddenReceiver = /^func\s*\(\s*(?:\w+\s+\*?|\*)?\p{Ll}\w*\s*[)[]/u;

/** In Rust it says nothing of its own; what it holds does. */
const implementation = /^(?:unsafe )?impl\b/;

/** A macro of a file that nobody includes. */
function isOwnMacro({ path }: ReviewUnit, { signature }: CodeSymbol): boolean {
  return /\.(?:c|cc|cpp|cxx)$/.test(path) && /^#\s*define\b/.test(signature);
}

/** Whether code outside the file may know it. */
function isPublic(outline: Pick<Outline, 'symbols'>, symbol: CodeSymbol): boolean {
  if (!symbol.exported || symbol.kind === 'test' || symbol.kind === 'block') return false;
  if (isLocal(outline, symbol) || hiddenReceiver.test(symbol.signature)) return false;
  for (let at = symbol.parent; at !== undefined; at = outline.symbols[at]?.parent)
    if (outline.symbols[at]?.exported !== true && !implementation.test(outline.symbols[at]?.signature ?? ''))
      return false;
  return true;
}

/** Locals of a function and sections of a text come and go without anyone outside noticing. */
function isNotable(outline: Pick<Outline, 'symbols'>, symbol: CodeSymbol): boolean {
  return symbol.kind !== 'test' && symbol.kind !== 'block' && !isLocal(outline, symbol);
}

/** The name by which others reach it: constructors and fields go by their class; hooks that the language calls have none. */
function calledAs(outline: Pick<Outline, 'symbols'>, symbol: CodeSymbol): string | undefined {
  if (symbol.kind === 'field' || symbol.name === '__init__' || symbol.name === 'constructor')
    return symbol.parent === undefined ? undefined : outline.symbols[symbol.parent]?.name;
  return symbol.name.startsWith('__') ? undefined : symbol.name;
}

function touches(unit: ReviewUnit, change: SymbolChange): boolean {
  if (change.kind === 'added') {
    const { after } = change;
    return after === unit.symbol || overlaps(unit.added, after.startLine, after.startLine);
  }
  if (change.kind === 'removed') {
    const { before } = change;
    return before === unit.oldSymbol || overlaps(unit.removed, before.startLine, before.startLine);
  }
  return change.after === unit.symbol || headTouched(unit, change);
}

function headTouched(unit: ReviewUnit, { before, after }: Extract<SymbolChange, { kind: 'kept' }>): boolean {
  return (
    overlaps(unit.added, after.startLine, after.signatureEndLine) ||
    overlaps(unit.removed, before.startLine, before.signatureEndLine)
  );
}
