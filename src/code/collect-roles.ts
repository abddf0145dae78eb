// Which lines speak for which role? One pass over the node types a language's tables name.
import type { Node } from 'web-tree-sitter';
import { annotatedNames, calledNames } from './called-names.js';
import type { EvidenceRole, RoleSpan } from './evidence-role.js';
import { type LineIndex, lineAt } from './line-index.js';
import type { SyntaxTable } from './syntax-table.js';

interface Source {
  readonly root: Node;
  readonly text: string;
  readonly lines: LineIndex;
  readonly table: SyntaxTable;
}

const longestName = 120;

export function collectRoles(source: Source): RoleSpan[] {
  const { root, text, lines, table } = source;
  const { whole = {}, head = {}, matching = [], calls: ownCalls = [] } = table.roles;
  const patterns = [...ownCalls, ...calledNames];
  const types = new Set([
    ...Object.keys(whole),
    ...Object.keys(head),
    ...matching.map(({ type }) => type),
    ...Object.keys(table.calls),
    ...table.leading,
  ]);
  const spans: RoleSpan[] = [];
  const add = (role: EvidenceRole, startLine: number, endLine: number): void => {
    spans.push({ role, startLine, endLine });
  };
  for (const node of root.descendantsOfType([...types])) {
    const { type, startIndex } = node;
    const startLine = lineAt(lines, startIndex);
    const endLine = (): number => lineAt(lines, Math.max(startIndex, node.endIndex - 1));
    if (Object.hasOwn(whole, type)) add(whole[type]!, startLine, endLine());
    if (Object.hasOwn(head, type)) add(head[type]!, startLine, startLine);
    for (const rule of matching) {
      if (rule.type === type && rule.pattern.test(text.slice(startIndex, startIndex + 200)))
        add(rule.role, startLine, endLine());
    }
    if (table.leading.includes(type)) {
      add('decorator', startLine, endLine());
      const name = text.slice(startIndex, startIndex + longestName).replace(/^[@#!\s[]+/, '');
      for (const role of rolesOf(name, annotatedNames)) add(role, startLine, endLine());
    }
    const field = Object.hasOwn(table.calls, type) ? table.calls[type]! : undefined;
    if (field === undefined) continue;
    for (const role of rolesOf(calledName(node, field, text), patterns)) {
      // A call holds its arguments; a route or a log line is the whole call, the rest only its first line.
      add(role, startLine, role === 'logging' ? endLine() : startLine);
    }
  }
  return spans;
}

function rolesOf(name: string, patterns: readonly (readonly [RegExp, EvidenceRole])[]): Set<EvidenceRole> {
  const roles = new Set<EvidenceRole>();
  if (name === '') return roles;
  for (const [pattern, role] of patterns) if (!roles.has(role) && pattern.test(name)) roles.add(role);
  return roles;
}

/** The dotted name in front of the arguments; for a chain of calls, its last link. */
export function calledName(node: Node, field: string, text: string): string {
  const called = field === '' ? node.firstNamedChild : node.childForFieldName(field);
  if (called === null) return '';
  const end = called.endIndex;
  const raw = text.slice(Math.max(called.startIndex, end - longestName), end).replace(/\s+/g, '');
  const afterCall = raw.lastIndexOf(')');
  return afterCall === -1 ? raw : raw.slice(afterCall + 1);
}
