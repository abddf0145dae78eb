// Where is which identifier used, and as what? Roles come from sets of offsets, so no node is asked for its parent.
import type { Harvest } from './harvest.js';
import { type LineIndex, lineAt } from './line-index.js';
import type { IdentifierUse, UseRole } from './syntax/outline-model.js';
import type { SyntaxTable } from './syntax/syntax-table.js';

interface Source {
  readonly harvest: Harvest;
  readonly text: string;
  readonly lines: LineIndex;
  readonly table: SyntaxTable;
  /** Offsets of the names of symbols. */
  readonly definitions: ReadonlySet<number>;
  /** Extents of import statements. */
  readonly imports: readonly number[];
}

export function collectUses(source: Source): IdentifierUse[] {
  const { harvest, text, lines, table } = source;
  const called = calledOffsets(source);
  const bound = new Set(source.definitions);
  for (const { node, type } of harvest.binders) {
    const field = table.definitions[type]!;
    const name = field === '' ? node.firstNamedChild : node.childForFieldName(field);
    if (name !== null) bound.add(name.startIndex);
  }
  const types = new Set(table.identifiers.types);
  const uses: IdentifierUse[] = [];
  let importAt = 0;
  for (const { node, type } of harvest.identifiers) {
    const start = node.startIndex;
    const name = text.slice(start, node.endIndex);
    if (name === '') continue;
    while (importAt < source.imports.length && source.imports[importAt + 1]! <= start) importAt += 2;
    let role: UseRole = 'reference';
    if (importAt < source.imports.length && source.imports[importAt]! <= start) role = 'import';
    else if (bound.has(start)) role = 'definition';
    else if (called.has(start)) role = 'call';
    else if (types.has(type)) role = 'type';
    uses.push({ name, line: lineAt(lines, start), role });
  }
  return uses;
}

/** Offsets of the last identifier of everything that is called. */
function calledOffsets({ harvest, text, table }: Source): Set<number> {
  const offsets = new Set<number>();
  for (const { node, type } of harvest.calls) {
    const field = table.calls[type]!;
    const target = field === '' ? node.firstNamedChild : node.childForFieldName(field);
    if (target !== null) offsets.add(lastName(text, target.startIndex, target.endIndex));
  }
  return offsets;
}

/** Generic arguments after the name are stepped over. */
function lastName(text: string, from: number, until: number): number {
  let end = until;
  if (text[end - 1] === '>' || text[end - 1] === ']') {
    const close = text[end - 1]!;
    const open = close === '>' ? '<' : '[';
    let depth = 0;
    while (end > from) {
      end -= 1;
      if (text[end] === close) depth += 1;
      else if (text[end] === open) depth -= 1;
      if (depth === 0) break;
    }
    if (text.slice(end - 2, end) === '::') end -= 2;
  }
  while (end > from && !isWord(text.charCodeAt(end - 1))) end -= 1;
  while (end > from && isWord(text.charCodeAt(end - 1))) end -= 1;
  return end;
}

function isWord(code: number): boolean {
  return (
    (code >= 48 && code <= 57) ||
    (code >= 65 && code <= 90) ||
    (code >= 97 && code <= 122) ||
    code === 95 ||
    code === 36 ||
    code > 127
  );
}
