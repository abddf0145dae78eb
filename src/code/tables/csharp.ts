// C#.
import type { Node } from 'web-tree-sitter';
import type { NodeView, SyntaxTable, UnitRule } from '../syntax/syntax-table.js';
import {
  assigned,
  childOfType,
  usualComments,
  usualHandling,
  usualStrings,
  visibleWith,
  wholeText,
} from './usual-nodes.js';

function declarators(node: Node): Node[] {
  const list = childOfType(node, ['variable_declaration']);
  return list?.namedChildren.filter(({ type }) => type === 'variable_declarator') ?? [];
}

const fields: UnitRule = {
  kind: 'field',
  name: (view) =>
    declarators(view.node)
      .map((child) => view.read(child.childForFieldName('name')))
      .join(', '),
  body: ({ node }) => {
    const first = declarators(node)[0];
    return first === undefined ? null : assigned(first);
  },
};

/** A property with code in it is a method; one that only stores is a field. */
const property: UnitRule = {
  kind: ({ node }) => {
    if (node.childForFieldName('value')?.type === 'arrow_expression_clause') return 'method';
    const accessors = node.childForFieldName('accessors')?.namedChildren ?? [];
    return accessors.some((accessor) => accessor.childForFieldName('body') !== null) ? 'method' : 'field';
  },
  body: ({ node }) => node.childForFieldName('accessors') ?? node.childForFieldName('value'),
};

function using(view: NodeView): { module: string; names: string[] }[] {
  const match = /^(?:global\s+)?using\s+(?:static\s+)?(?:(\w+)\s*=\s*)?([\w.:<>,\s]+?)\s*;?$/.exec(
    wholeText(view),
  );
  if (match === null) return [];
  return [{ module: match[2]!.replace(/\s+/g, ''), names: match[1] === undefined ? ['*'] : [match[1]] }];
}

const isVisible = visibleWith(/\bpublic\b/);

export const csharp: SyntaxTable = {
  units: {
    namespace_declaration: { kind: 'module' },
    class_declaration: { kind: 'class' },
    struct_declaration: { kind: 'class' },
    record_declaration: { kind: 'class' },
    record_struct_declaration: { kind: 'class' },
    interface_declaration: { kind: 'interface' },
    enum_declaration: { kind: 'enum' },
    enum_member_declaration: { kind: 'field', body: 'value' },
    delegate_declaration: { kind: 'type' },
    method_declaration: { kind: 'method' },
    constructor_declaration: { kind: 'method' },
    destructor_declaration: {
      kind: 'method',
      name: (view) => `~${view.read(view.node.childForFieldName('name'))}`,
    },
    operator_declaration: {
      kind: 'method',
      name: (view) => `operator ${view.read(view.node.childForFieldName('operator'))}`,
    },
    conversion_operator_declaration: {
      kind: 'method',
      name: (view) => `operator ${view.read(view.node.childForFieldName('type'))}`,
    },
    indexer_declaration: { ...property, name: () => 'this' },
    property_declaration: property,
    event_declaration: { kind: 'field', body: 'accessors' },
    event_field_declaration: fields,
    field_declaration: fields,
    local_function_statement: { kind: 'function' },
  },
  wrappers: { global_statement: '*' },
  leading: ['attribute_list'],
  scopes: ['lambda_expression', 'anonymous_method_expression'],
  comments: usualComments,
  strings: usualStrings,
  imports: { using_directive: using },
  exported: (draft) => draft.kind === 'module' || isVisible(draft),
  identifiers: { plain: ['identifier'], types: [] },
  calls: { invocation_expression: 'function', object_creation_expression: 'type' },
  definitions: { parameter: 'name', variable_declarator: 'name', catch_declaration: 'name' },
  roles: {
    ...usualHandling,
    head: { ...usualHandling.head, lock_statement: 'concurrency', volatile: 'concurrency' },
    calls: [
      [
        /^(?:Thread|Mutex|SemaphoreSlim|Task|CancellationTokenSource|ConcurrentDictionary(?:<.*)?)$/,
        'concurrency',
      ],
      [/(?:^|\.)(?:_?\w*[rR]epository|_?\w*[cC]ontext)\.(?:\w+\.)*\w+$/, 'data-access'],
    ],
  },
};
