// Where does a unit begin and end, and what is its signature? Exports, declarations and decorators around it belong to it.
import type { Node } from 'web-tree-sitter';
import { isSpace } from './line-index.js';
import type { Spans } from './syntax/outline-model.js';
import type { SyntaxTable } from './syntax/syntax-table.js';

/** A node the walk is inside of; the symbol it made, if it made one. */
export interface Frame {
  readonly end: number;
  readonly node: Node;
  readonly type: string;
  readonly symbol?: number;
}

/** A wrapper directly around the unit (an export, a declaration with one declarator) lends its extent. */
export function widen(
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
export function headStart(node: Node, table: SyntaxTable): number {
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

/** The first place where the name stands as a word of its own. */
export function wordAt(text: string, name: string): number {
  for (let at = text.indexOf(name); at !== -1; at = text.indexOf(name, at + 1)) {
    if (!/[\w$]/.test(text[at - 1] ?? '') && !/[\w$]/.test(text[at + name.length] ?? '')) return at;
  }
  return -1;
}

export function inkedEnd(text: string, from: number, until: number): number {
  let end = until;
  while (end > from && isSpace(text.charCodeAt(end - 1))) end -= 1;
  return end;
}

/** Only whitespace and whole comment lines between a decorator and what it decorates. */
export function onlyGap(text: string, from: number, until: number): boolean {
  // Line by line: a unit far below asks too, and its first line says no already.
  for (let start = from; start <= until; ) {
    const end = text.indexOf('\n', start);
    const stop = end === -1 || end > until ? until : end;
    if (!/^\s*(?:$|\/\/|\/\*|\*|#)/.test(text.slice(start, stop))) return false;
    start = stop + 1;
  }
  return from <= until;
}

/** A declaration up to its body on one line, without comments: equal text means an equal signature. */
export function signatureText(part: { text: string; start: number; end: number; comments: Spans }): string {
  const { text, start, end, comments } = part;
  let raw = '';
  let from = start;
  for (let at = firstAfter(comments, start); at < comments.length && comments[at]! < end; at += 2) {
    if (comments[at]! < from) continue;
    raw += `${text.slice(from, comments[at])} `;
    from = comments[at + 1]!;
  }
  raw += text.slice(from, Math.max(from, end));
  return raw
    .replace(/\s+/g, ' ')
    .replace(/([([{]|\w<) /g, '$1')
    .replace(/,? ([)\]}>,;:])/g, '$1')
    .replace(/,([)\]}])/g, '$1')
    .replace(/\s*(?:[;{:]|(?<![=!<>])=)\s*$/, '')
    .trim();
}

function firstAfter(spans: Spans, offset: number): number {
  let low = 0;
  let high = spans.length >> 1;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (spans[middle * 2]! < offset) low = middle + 1;
    else high = middle;
  }
  return low * 2;
}
