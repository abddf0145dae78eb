// Java.
import type { NodeView, SyntaxTable } from '../syntax/syntax-table.js';
import {
  assigned,
  dottedImport,
  usualComments,
  usualHandling,
  usualStrings,
  visibleWith,
  wholeText,
} from './usual-nodes.js';

function imported(view: NodeView): ReturnType<typeof dottedImport> {
  return dottedImport(wholeText(view).replace(/^import\s+(?:static\s+)?|;[\s\S]*$/g, ''), undefined);
}

export const java: SyntaxTable = {
  units: {
    class_declaration: { kind: 'class' },
    record_declaration: { kind: 'class' },
    interface_declaration: { kind: 'interface' },
    annotation_type_declaration: { kind: 'interface' },
    enum_declaration: { kind: 'enum' },
    method_declaration: { kind: 'method' },
    constructor_declaration: { kind: 'method' },
    compact_constructor_declaration: { kind: 'method' },
    annotation_type_element_declaration: { kind: 'method', body: 'value' },
    static_initializer: { kind: 'block', name: () => 'static', body: ({ node }) => node.firstNamedChild },
    enum_constant: { kind: 'field' },
    field_declaration: {
      kind: 'field',
      name: (view) => {
        const declarators = view.node.childrenForFieldName('declarator').filter((child) => child.isNamed);
        return declarators.map((child) => view.read(child.childForFieldName('name'))).join(', ');
      },
      body: ({ node }) => {
        const declarator = node.childForFieldName('declarator');
        return declarator === null ? null : assigned(declarator);
      },
    },
  },
  wrappers: {},
  leading: ['marker_annotation', 'annotation'],
  scopes: ['lambda_expression'],
  comments: usualComments,
  strings: usualStrings,
  imports: { import_declaration: imported },
  exported: visibleWith(/\bpublic\b/),
  identifiers: { plain: ['identifier'], types: ['type_identifier'] },
  calls: {
    method_invocation: 'name',
    object_creation_expression: 'type',
    explicit_constructor_invocation: 'constructor',
  },
  definitions: { formal_parameter: 'name', variable_declarator: 'name', catch_formal_parameter: 'name' },
  roles: {
    whole: { ...usualHandling.whole, package_declaration: 'import' },
    head: {
      ...usualHandling.head,
      synchronized_statement: 'concurrency',
      synchronized: 'concurrency',
      volatile: 'concurrency',
    },
    calls: [
      [
        /^(?:\w*Thread|\w*Executor|\w*Lock|Semaphore|CountDownLatch|Atomic\w+|ConcurrentHashMap)$/,
        'concurrency',
      ],
      [/(?:^|\.)(?:\w*[rR]epository|\w*[dD]ao|jdbcTemplate|entityManager)\.\w+$/, 'data-access'],
    ],
  },
};
