// Go.
import type { Node } from 'web-tree-sitter';
import type { SymbolKind } from '../syntax/outline-model.js';
import {
  fieldText,
  type NodeView,
  type SyntaxTable,
  type UnitRule,
  unquote,
} from '../syntax/syntax-table.js';

const kindOfType: Readonly<Record<string, SymbolKind>> = {
  struct_type: 'class',
  interface_type: 'interface',
};

const typeSpec: UnitRule = {
  kind: ({ node }) => kindOfType[node.childForFieldName('type')?.type ?? ''] ?? 'type',
  body: ({ node }) => {
    const type = node.childForFieldName('type');
    // The words struct and interface belong to the signature.
    return type !== null && Object.hasOwn(kindOfType, type.type) ? (type.child(1) ?? type) : type;
  },
};

function literalOf(node: Node, field: string): Node | null {
  const values = node.childForFieldName(field);
  if (values === null || values.namedChildCount !== 1) return null;
  const only = values.type === 'func_literal' ? values : values.firstNamedChild;
  return only?.type === 'func_literal' ? only : null;
}

function valueSpec(field: string, otherwise: SymbolKind | undefined): UnitRule {
  return {
    kind: ({ node }) => (literalOf(node, field) === null ? otherwise : 'function'),
    name: (view) => {
      const found = view.node.childrenForFieldName('name').filter((child) => child.isNamed);
      return found.map((child) => view.read(child)).join(', ');
    },
    body: ({ node }) => literalOf(node, field)?.childForFieldName('body') ?? node.childForFieldName(field),
  };
}

const subTest: UnitRule = {
  kind: (view) =>
    /\.Run$/.test(fieldText(view, 'function') ?? '') && runBody(view.node) !== null ? 'test' : undefined,
  name: (view) => {
    const first = view.node.childForFieldName('arguments')?.firstNamedChild ?? null;
    return first === null ? undefined : unquote(view.read(first)).slice(0, 80);
  },
  body: ({ node }) => runBody(node)?.childForFieldName('body') ?? null,
};

function runBody(node: Node): Node | null {
  const list = node.childForFieldName('arguments');
  const last = list?.lastNamedChild ?? null;
  return list?.namedChildCount === 2 && last?.type === 'func_literal' ? last : null;
}

function importSpec(view: NodeView): { module: string; names: string[] }[] {
  const module = unquote(fieldText(view, 'path') ?? '');
  const alias = fieldText(view, 'name');
  if (alias === '_') return [{ module, names: [] }];
  if (alias === '.') return [{ module, names: ['*'] }];
  return [{ module, names: ['*', alias ?? module.slice(module.lastIndexOf('/') + 1)] }];
}

export const go: SyntaxTable = {
  units: {
    function_declaration: { kind: 'function' },
    method_declaration: { kind: 'method' },
    type_spec: typeSpec,
    type_alias: { kind: 'type', body: 'type' },
    method_elem: { kind: 'method' },
    method_spec: { kind: 'method' },
    field_declaration: {
      kind: 'field',
      name: (view) => {
        const found = view.node.childrenForFieldName('name').filter((child) => child.isNamed);
        if (found.length > 0) return found.map((child) => view.read(child)).join(', ');
        return /([\w]+)$/.exec((fieldText(view, 'type') ?? '').replace(/\[[\s\S]*/, ''))?.[1];
      },
      body: 'tag',
    },
    const_spec: valueSpec('value', 'variable'),
    var_spec: valueSpec('value', 'variable'),
    short_var_declaration: { ...valueSpec('right', undefined), name: 'left' },
  },
  wrappers: { type_declaration: '*', const_declaration: '*', var_declaration: '*' },
  leading: [],
  scopes: ['func_literal'],
  comments: ['comment'],
  strings: ['interpreted_string_literal', 'raw_string_literal', 'rune_literal'],
  imports: { import_spec: importSpec },
  callUnits: { type: 'call_expression', words: /\bt\.Run\(|\bb\.Run\(|\bs\.Run\(/, rule: subTest },
  exported: ({ name, kind }) => kind !== 'test' && /^\p{Lu}/u.test(name),
  identifiers: {
    plain: ['identifier', 'field_identifier', 'package_identifier'],
    types: ['type_identifier'],
  },
  calls: { call_expression: 'function' },
  definitions: {
    parameter_declaration: 'name',
    short_var_declaration: 'left',
    range_clause: 'left',
    var_spec: 'name',
    const_spec: 'name',
  },
  roles: {
    whole: {
      import_declaration: 'import',
      go_statement: 'concurrency',
      send_statement: 'concurrency',
      channel_type: 'concurrency',
      receive_statement: 'concurrency',
    },
    head: { select_statement: 'concurrency', communication_case: 'concurrency' },
    matching: [
      { type: 'if_statement', pattern: /^if\s[^{]*\b\w*[eE]rr\w*\s*[!=]=\s*nil/, role: 'error-handling' },
      {
        type: 'return_statement',
        pattern: /^return\s[^\n]*\b(?:Err[A-Z]\w*|[nN]ew\w*Err(?:or)?\w*\()/,
        role: 'error-handling',
      },
      { type: 'unary_expression', pattern: /^<-/, role: 'concurrency' },
      { type: 'qualified_type', pattern: /^(?:sync|atomic|errgroup)\./, role: 'concurrency' },
    ],
    calls: [[/^(?:make\(chan|close)$/, 'concurrency']],
  },
};
