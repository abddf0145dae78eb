// The symbols of a tree, in one pre-order pass: what each is called, where it begins and ends, and what holds it.
// Symbols nest: a child lies within its parent and comes after it.
import type { Node } from 'web-tree-sitter';
import type { Leaf } from './harvest.js';
import { bodyDigest, type LineIndex, lineAt } from './line-index.js';
import type { CodeSymbol, Spans, SymbolKind } from './syntax/outline-model.js';
import { type SyntaxTable, type UnitRule, viewOf } from './syntax/syntax-table.js';
import { type Frame, headStart, inkedEnd, onlyGap, signatureText, widen, wordAt } from './unit-extent.js';

interface Source {
  readonly root: Node;
  readonly text: string;
  readonly lines: LineIndex;
  readonly table: SyntaxTable;
  readonly comments: Spans;
  /** What may be, hold or decorate a unit, in the order of the text. */
  readonly units: readonly Leaf[];
  readonly digests: boolean;
}

interface Found {
  readonly symbols: CodeSymbol[];
  /** Spans of the strings that document a body. */
  readonly docstrings: number[];
  /** Offsets of the symbols' names. */
  readonly names: Set<number>;
}

interface Unit {
  readonly name: string;
  readonly kind: SymbolKind;
  readonly body: Node | null;
  readonly outer: boolean;
  readonly inside: UnitRule['inside'];
}

/** Limits that keep hostile nesting and giant declarations from costing more than the parse. */
const deepest = 40;
const longestSignature = 4_000;
const sectionReach = 16_000;

const owners: ReadonlySet<SymbolKind> = new Set(['class', 'interface', 'enum', 'type']);
const runnable: ReadonlySet<SymbolKind> = new Set(['function', 'method', 'test']);

export function collectSymbols(source: Source): Found {
  const { root, text, table } = source;
  const found: Found = { symbols: [], docstrings: [], names: new Set() };
  const explicit = new Set<string>();
  const drafts: { wrappers: string[]; from: number }[] = [];
  const stack: Frame[] = [];
  let leading: { start: number; end: number } | undefined;
  if (table.docstrings) noteDocstring(root, source, found);

  for (const { node, type } of source.units) {
    const { startIndex } = node;
    const end = node.endIndex;
    while (stack.length > 0 && stack.at(-1)!.end <= startIndex) stack.pop();
    // Functions handed to a decorator are part of it.
    if (leading !== undefined && startIndex < leading.end) continue;
    if (table.leading.includes(type)) {
      leading =
        leading !== undefined && onlyGap(text, leading.end, startIndex)
          ? { start: leading.start, end }
          : { start: startIndex, end };
      continue;
    }
    for (const name of table.exportLists?.[type]?.(viewOf(node, text)) ?? []) explicit.add(name);
    const frame: Frame = { end, node, type };
    const unit = readUnit(node, type, source);
    if (unit === undefined) {
      if (Object.hasOwn(table.wrappers, type) || table.scopes.includes(type)) stack.push(frame);
      continue;
    }
    const holder = stack.findLast(({ symbol }) => symbol !== undefined)?.symbol;
    const parent = holder === undefined ? undefined : found.symbols[holder];
    const kind = settle(unit.kind, parent);
    const stray =
      (kind === 'field' && (parent === undefined || !owners.has(parent.kind))) ||
      (unit.inside !== undefined && !unit.inside.includes(parent?.kind ?? 'block'));
    if (
      stray ||
      ((kind === 'variable' || unit.outer) && stack.some((outer) => isLocal(outer, found, table)))
    ) {
      stack.push(frame);
      continue;
    }
    const extent = widen(node, stack, table);
    let from = extent.start;
    if (leading !== undefined && leading.end <= from && onlyGap(text, leading.end, from))
      from = leading.start;
    drafts.push({ wrappers: extent.wrappers, from });
    found.symbols.push({
      name: unit.name,
      kind,
      exported: false,
      ...(holder === undefined ? {} : { parent: holder }),
      ...measure({ unit, node, from, end: extent.end, deep: stack.length > deepest }, source),
    });
    const nameAt = wordAt(text.slice(startIndex, Math.min(end, startIndex + 2_000)), unit.name);
    if (nameAt !== -1) found.names.add(startIndex + nameAt);
    if (table.docstrings && unit.body !== null) noteDocstring(unit.body, source, found);
    stack.push({ ...frame, symbol: found.symbols.length - 1 });
  }
  markExported(found.symbols, drafts, { text, table, explicit });
  return found;
}

/** Lines, signature and body of a unit. */
function measure(
  { unit, node, from, end, deep }: { unit: Unit; node: Node; from: number; end: number; deep: boolean },
  { text, lines, table, comments, digests }: Source,
): Pick<CodeSymbol, 'startLine' | 'endLine' | 'signatureEndLine' | 'signature' | 'bodyDigest'> {
  const until = inkedEnd(text, from, end);
  const bodyStart =
    unit.body === null ? until : Math.min(Math.max(unit.body.startIndex, node.startIndex), until);
  const signatureEnd = inkedEnd(text, node.startIndex, bodyStart);
  const start = headStart(node, table);
  return {
    startLine: lineAt(lines, from),
    endLine: lineAt(lines, Math.max(from, until - 1)),
    signatureEndLine: lineAt(lines, Math.max(from, signatureEnd - 1)),
    signature: signatureText({
      text,
      start,
      end: Math.min(signatureEnd, start + longestSignature),
      comments,
    }),
    bodyDigest: deep || !digests ? '' : bodyDigest(text.slice(bodyStart, until), unit.name),
  };
}

function markExported(
  symbols: CodeSymbol[],
  drafts: readonly { wrappers: string[]; from: number }[],
  { text, table, explicit }: { text: string; table: SyntaxTable; explicit: ReadonlySet<string> },
): void {
  for (const [at, symbol] of symbols.entries()) {
    const parent = symbol.parent === undefined ? undefined : symbols[symbol.parent];
    if (symbol.kind === 'test' || symbol.kind === 'block') continue;
    if (parent !== undefined && runnable.has(parent.kind)) continue;
    const { from, wrappers } = drafts[at]!;
    const parentStart = symbol.parent === undefined ? 0 : drafts[symbol.parent]!.from;
    const before = (): string => text.slice(Math.max(parentStart, from - sectionReach), from);
    const exported = table.exported({ ...symbol, wrappers, parent, before }, explicit);
    if (exported) symbols[at] = { ...symbol, exported };
  }
}

function readUnit(node: Node, type: string, { text, table }: Source): Unit | undefined {
  const rule: UnitRule | undefined = Object.hasOwn(table.units, type)
    ? table.units[type]
    : type === table.callUnits?.type
      ? table.callUnits.rule
      : undefined;
  if (rule === undefined) return undefined;
  const view = viewOf(node, text);
  const kind = typeof rule.kind === 'function' ? rule.kind(view) : rule.kind;
  if (kind === undefined) return undefined;
  const { name: naming = 'name', body: bodyOf = 'body' } = rule;
  const name = typeof naming === 'function' ? naming(view) : view.read(node.childForFieldName(naming));
  if (name === undefined || name === '') return undefined;
  const body = typeof bodyOf === 'function' ? bodyOf(view) : node.childForFieldName(bodyOf);
  return {
    name: name.length > 200 ? name.slice(0, 200) : name,
    kind,
    body,
    outer: rule.outer === true,
    inside: rule.inside,
  };
}

function settle(kind: SymbolKind, parent: CodeSymbol | undefined): SymbolKind {
  if (parent === undefined || !owners.has(parent.kind)) return kind;
  if (kind === 'function') return 'method';
  return kind === 'variable' ? 'field' : kind;
}

function isLocal(frame: Frame, found: Found, table: SyntaxTable): boolean {
  if (frame.symbol !== undefined) return runnable.has(found.symbols[frame.symbol]!.kind);
  return table.scopes.includes(frame.type);
}

function noteDocstring(body: Node, { table }: Source, found: Found): void {
  if (body.type !== 'block' && body.parent !== null) return;
  let first = body.firstNamedChild;
  while (first !== null && table.comments.includes(first.type)) first = first.nextNamedSibling;
  const string = first?.type === 'expression_statement' ? first.firstNamedChild : first;
  if (string !== null && string !== undefined && table.strings.includes(string.type)) {
    found.docstrings.push(string.startIndex, string.endIndex);
  }
}
