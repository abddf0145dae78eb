// Which lines speak for which role? One pass over the node types a language's tables name.
import type { Node } from 'web-tree-sitter';
import { roleOfAnnotation, rolesOfCall } from './called-names.js';
import type { EvidenceRole, RoleSpan } from './evidence-role.js';
import type { Harvest, Leaf } from './harvest.js';
import { type LineIndex, lineAt } from './line-index.js';
import type { SyntaxTable } from './syntax-table.js';

interface Source {
  readonly harvest: Harvest;
  readonly text: string;
  readonly lines: LineIndex;
  readonly table: SyntaxTable;
}

const longestName = 120;

export function collectRoles(source: Source): RoleSpan[] {
  const { harvest } = source;
  return [
    ...harvest.roles.flatMap((leaf) => rolesOfNode(leaf, source)),
    ...harvest.calls.flatMap((leaf) => rolesOfCallNode(leaf, source)),
  ];
}

type AddRole = (role: EvidenceRole, extent: 'head' | 'whole', alone?: boolean) => void;

function adder(spans: RoleSpan[], node: Node, lines: LineIndex): AddRole {
  const startLine = lineAt(lines, node.startIndex);
  return (role, extent, alone = false) => {
    const endLine =
      extent === 'head' ? startLine : lineAt(lines, Math.max(node.startIndex, node.endIndex - 1));
    spans.push({ role, startLine, endLine, alone });
  };
}

function rolesOfNode({ node, type }: Leaf, { text, lines, table }: Source): RoleSpan[] {
  const { whole = {}, head = {}, matching = [] } = table.roles;
  const { startIndex } = node;
  const spans: RoleSpan[] = [];
  const add = adder(spans, node, lines);
  if (Object.hasOwn(whole, type)) add(whole[type]!, 'whole', standsAlone(node, text));
  if (Object.hasOwn(head, type)) add(head[type]!, 'head');
  for (const rule of matching) {
    if (rule.type === type && rule.pattern.test(text.slice(startIndex, startIndex + 200)))
      add(rule.role, 'whole');
  }
  if (table.leading.includes(type)) {
    add('decorator', 'whole', standsAlone(node, text));
    const role = roleOfAnnotation(text.slice(startIndex, startIndex + longestName).replace(/^[@#!\s[]+/, ''));
    if (role !== undefined) add(role, 'whole');
  }
  return spans;
}

function rolesOfCallNode({ node, type }: Leaf, { text, lines, table }: Source): RoleSpan[] {
  const spans: RoleSpan[] = [];
  const add = adder(spans, node, lines);
  for (const role of rolesOf(calledName(node, table.calls[type]!, text), table)) {
    // A log line is the whole call; the other calls hold arguments with lives of their own.
    if (role === 'logging') add(role, 'whole', standsAlone(node, text));
    else add(role, 'head');
  }
  return spans;
}

function rolesOf(name: string, table: SyntaxTable): Set<EvidenceRole> {
  const roles = rolesOfCall(name);
  for (const [pattern, role] of table.roles.calls ?? []) if (pattern.test(name)) roles.add(role);
  return roles;
}

/** The dotted name in front of the arguments, arguments within it dropped. */
function calledName(node: Node, field: string, text: string): string {
  const called = field === '' ? node.firstNamedChild : node.childForFieldName(field);
  if (called === null) return '';
  const end = called.endIndex;
  let name = text
    .slice(Math.max(node.startIndex, end - longestName), end)
    .replace(/^new\s+/, '')
    .replace(/[\s$?!]+/g, '');
  for (let depth = 0; depth < 5 && name.includes('('); depth += 1) name = name.replace(/\([^()]*\)/g, '');
  return name.slice(Math.max(name.lastIndexOf('('), name.lastIndexOf(')')) + 1);
}

/** Before it at most `await`, after it at most punctuation or a comment. */
function standsAlone(node: Node, text: string): boolean {
  const before = text.slice(text.lastIndexOf('\n', node.startIndex - 1) + 1, node.startIndex);
  const end = node.endIndex;
  const newline = text.indexOf('\n', end);
  const after = text.slice(end, newline === -1 ? text.length : newline);
  return /^\s*(?:await\s+)?$/.test(before) && /^[\s;,]*(?:(?:\/\/|#|\/\*).*)?$/.test(after);
}
