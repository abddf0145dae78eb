// Kotlin. The grammar names no fields, so names and bodies are found by type.
import type { Node } from 'web-tree-sitter';
import type { NodeView, SyntaxTable, UnitRule } from '../syntax/syntax-table.js';
import {
  assigned,
  childOfType,
  dottedImport,
  usualComments,
  usualHandling,
  usualStrings,
  visibleUnless,
  wholeText,
} from './usual-nodes.js';

const nameTypes = ['simple_identifier', 'type_identifier'];
const bodyTypes = ['class_body', 'enum_class_body', 'function_body', 'statements', 'control_structure_body'];

const named = (view: NodeView): string => view.read(childOfType(view.node, nameTypes));
const bodied = ({ node }: NodeView): Node | null => childOfType(node, bodyTypes);

function unit(kind: UnitRule['kind'], name: UnitRule['name'] = named): UnitRule {
  return { kind, name, body: bodied };
}

/** Accessors stand after their property as siblings. */
function accessor(word: string): UnitRule {
  return unit('method', (view) => {
    let property = view.node.previousNamedSibling;
    while (property !== null && property.type !== 'property_declaration')
      property = property.previousNamedSibling;
    return property === null ? word : `${propertyName({ ...view, node: property })} ${word}`;
  });
}

function propertyName(view: NodeView): string {
  const declared = childOfType(view.node, ['variable_declaration', 'multi_variable_declaration']);
  return view
    .read(declared)
    .replace(/:[\s\S]*$/, '')
    .trim();
}

export const kotlin: SyntaxTable = {
  units: {
    class_declaration: unit(({ node }) => {
      const words = node.children.map(({ type }) => type);
      return words.includes('interface') ? 'interface' : words.includes('enum') ? 'enum' : 'class';
    }),
    object_declaration: unit('class'),
    companion_object: unit('class', (view) => named(view) || 'Companion'),
    enum_entry: unit('field'),
    function_declaration: unit('function', (view) =>
      view.read(childOfType(view.node, ['simple_identifier'])),
    ),
    secondary_constructor: unit('method', () => 'constructor'),
    anonymous_initializer: unit('block', () => 'init'),
    getter: accessor('get'),
    setter: accessor('set'),
    property_declaration: {
      kind: ({ node }) => (assigned(node)?.type === 'lambda_literal' ? 'function' : 'variable'),
      name: propertyName,
      body: ({ node }) => childOfType(node, ['property_delegate']) ?? assigned(node),
    },
    type_alias: { kind: 'type', name: named, body: ({ node }) => assigned(node) },
  },
  wrappers: {},
  leading: ['annotation', 'file_annotation'],
  scopes: ['lambda_literal', 'anonymous_function'],
  comments: usualComments,
  strings: usualStrings,
  imports: {
    import_header: (view) => {
      const match = /^import\s+([\w.`*]+)(?:\s+as\s+(\w+))?/.exec(wholeText(view));
      return match === null ? [] : dottedImport(match[1]!, match[2]);
    },
  },
  exported: visibleUnless(/^(?:\w+ )*(?:private|internal|protected)\b/),
  identifiers: { plain: ['simple_identifier'], types: ['type_identifier'] },
  calls: { call_expression: '', constructor_invocation: '' },
  definitions: { parameter: '', class_parameter: '', variable_declaration: '' },
  roles: {
    whole: { ...usualHandling.whole, package_header: 'import' },
    head: { ...usualHandling.head, suspend: 'concurrency' },
    matching: [{ type: 'jump_expression', pattern: /^throw\b/, role: 'error-handling' }],
    calls: [
      [
        /(?:^|\.)(?:launch|async|runBlocking|withContext|withLock|synchronized|coroutineScope|supervisorScope|flowOn)$/,
        'concurrency',
      ],
      [
        /(?:^|\.)(?:runCatching|require|requireNotNull|check|checkNotNull|error|getOrThrow|TODO)$/,
        'error-handling',
      ],
      [/(?:^|\.)(?:\w*[rR]epository|\w*[dD]ao)\.\w+$/, 'data-access'],
      [/^(?:get|post|put|delete|patch|route|routing)$/, 'routing'],
    ],
  },
  stepMs: 0.08,
};
