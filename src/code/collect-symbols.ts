// The symbols of a tree, in one pre-order pass: what each is called, where it begins and ends, and what holds it.
// Symbols nest: a child lies within its parent and comes after it.
import type { Node } from 'web-tree-sitter';
import { digestOf } from './body-digest.js';
import { isSpace, type LineIndex, lineAt } from './line-index.js';
import type { CodeSymbol, Spans, SymbolKind } from './outline.js';
import { signatureText } from './signature-text.js';
import type { SyntaxTable, UnitRule } from './syntax-table.js';
import { viewOf } from './syntax-view.js';

interface Source {
  readonly root: Node;
  readonly text: string;
  readonly lines: LineIndex;
  readonly table: SyntaxTable;
  readonly comments: Spans;
}

interface Found {
  readonly symbols: CodeSymbol[];
  /** Spans of the strings that document a body. */
  readonly docstrings: number[];
  /** Offsets of the symbols' names. */
  readonly names: Set<number>;
}

interface Frame {
  readonly end: number;
  readonly node: Node;
  readonly type: string;
  readonly symbol?: number;
}

const owners: ReadonlySet<SymbolKind> = new Set(['class', 'interface', 'enum', 'type']);
const runnable: ReadonlySet<SymbolKind> = new Set(['function', 'method', 'test']);

export function collectSymbols(source: Source): Found {
  const { root, text, lines, table } = source;
  const found: Found = { symbols: [], docstrings: [], names: new Set() };
  const explicit = new Set<string>();
  const drafts: { wrappers: string[]; from: number }[] = [];
  const stack: Frame[] = [];
  let leading: { start: number; end: number } | undefined;
  if (table.docstrings) noteDocstring(root, source, found);

  for (const node of root.descendantsOfType(wantedTypes(table, text))) {
    const { type, startIndex } = node;
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
    const until = inkedEnd(text, from, extent.end);
    const bodyStart =
      unit.body === null ? until : Math.min(Math.max(unit.body.startIndex, startIndex), until);
    const signatureEnd = inkedEnd(text, startIndex, bodyStart);
    const signature = signatureText({
      text,
      start: headStart(node, table),
      end: signatureEnd,
      comments: source.comments,
    });
    drafts.push({ wrappers: extent.wrappers, from });
    found.symbols.push({
      name: unit.name,
      kind,
      startLine: lineAt(lines, from),
      endLine: lineAt(lines, Math.max(from, until - 1)),
      signatureEndLine: lineAt(lines, Math.max(from, signatureEnd - 1)),
      exported: false,
      ...(holder === undefined ? {} : { parent: holder }),
      signature,
      bodyDigest: digestOf(text.slice(bodyStart, until), unit.name),
    });
    const nameAt = wordAt(text, unit.name, startIndex);
    if (nameAt !== -1 && nameAt < end) found.names.add(nameAt);
    if (table.docstrings && unit.body !== null) noteDocstring(unit.body, source, found);
    stack.push({ ...frame, symbol: found.symbols.length - 1 });
  }
  for (const [at, symbol] of found.symbols.entries()) {
    const parent = symbol.parent === undefined ? undefined : found.symbols[symbol.parent];
    if (
      symbol.kind === 'test' ||
      symbol.kind === 'block' ||
      (parent !== undefined && runnable.has(parent.kind))
    )
      continue;
    const { from, wrappers } = drafts[at]!;
    const before = (): string =>
      text.slice(symbol.parent === undefined ? 0 : drafts[symbol.parent]!.from, from);
    const exported = table.exported({ ...symbol, wrappers, parent, before }, explicit);
    if (exported) found.symbols[at] = { ...symbol, exported };
  }
  return found;
}

function wantedTypes(table: SyntaxTable, text: string): string[] {
  const { units, wrappers, leading, scopes, callUnits, exportLists = {} } = table;
  const types = [
    ...Object.keys(units),
    ...Object.keys(wrappers),
    ...leading,
    ...scopes,
    ...Object.keys(exportLists),
  ];
  if (callUnits?.words.test(text)) types.push(callUnits.type);
  return types;
}

function readUnit(
  node: Node,
  type: string,
  { text, table }: Source,
):
  | { name: string; kind: SymbolKind; body: Node | null; outer: boolean; inside: UnitRule['inside'] }
  | undefined {
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

/** A wrapper directly around the unit (an export, a declaration with one declarator) lends its extent. */
function widen(
  node: Node,
  stack: readonly Frame[],
  table: SyntaxTable,
): { start: number; end: number; wrappers: string[] } {
  let inner = node;
  const wrappers: string[] = [];
  for (let at = stack.length - 1; at >= 0; at -= 1) {
    const { node: outer, type, symbol } = stack[at]!;
    const field = symbol === undefined ? table.wrappers[type] : undefined;
    if (field === undefined || !lends({ outer, field, inner, table })) break;
    inner = outer;
    wrappers.push(type);
  }
  // Declarations with several declarators lend their modifiers, not their extent.
  const rest = stack.at(-1 - wrappers.length);
  if (rest !== undefined && rest.symbol === undefined && table.wrappers[rest.type] === '*') {
    for (
      let at = stack.length - 1 - wrappers.length;
      at >= 0 && stack[at]!.symbol === undefined && Object.hasOwn(table.wrappers, stack[at]!.type);
      at -= 1
    ) {
      wrappers.push(stack[at]!.type);
    }
  }
  return { start: inner.startIndex, end: inner.endIndex, wrappers };
}

function lends({
  outer,
  field,
  inner,
  table,
}: {
  outer: Node;
  field: string;
  inner: Node;
  table: SyntaxTable;
}): boolean {
  if (field === '+') return outer.lastNamedChild?.id === inner.id;
  if (field !== '*') return outer.childForFieldName(field)?.id === inner.id;
  const children = outer.namedChildren.filter(({ type }) => !table.comments.includes(type));
  return children.length === 1 && children[0]?.id === inner.id;
}

/** The signature begins after decorators that are children of the unit or of its modifiers. */
function headStart(node: Node, table: SyntaxTable): number {
  if (table.leading.length === 0) return node.startIndex;
  let child = node.firstChild;
  while (child !== null) {
    if (child.type === 'modifiers') {
      const plain = child.children.find(({ type }) => !table.leading.includes(type));
      if (plain !== undefined) return plain.startIndex;
    } else if (!table.leading.includes(child.type)) break;
    child = child.nextSibling;
  }
  return child?.startIndex ?? node.startIndex;
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

/** The first place where the name stands as a word of its own. */
function wordAt(text: string, name: string, from: number): number {
  for (let at = text.indexOf(name, from); at !== -1; at = text.indexOf(name, at + 1)) {
    if (!/[\w$]/.test(text[at - 1] ?? '') && !/[\w$]/.test(text[at + name.length] ?? '')) return at;
  }
  return -1;
}

function inkedEnd(text: string, from: number, until: number): number {
  let end = until;
  while (end > from && isSpace(text.charCodeAt(end - 1))) end -= 1;
  return end;
}

/** Only whitespace and whole comment lines between a decorator and what it decorates. */
function onlyGap(text: string, from: number, until: number): boolean {
  if (until < from) return false;
  return text
    .slice(from, until)
    .split('\n')
    .every((line) => /^\s*(?:$|\/\/|\/\*|\*|#)/.test(line));
}
