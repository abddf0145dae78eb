// Swift.
import type { SymbolKind } from '../syntax/outline-model.js';
import type { SymbolDraft, SyntaxTable } from '../syntax/syntax-table.js';
import { childOfType, usualComments, usualHandling, usualStrings, wholeText } from './usual-nodes.js';

function exported({ signature, parent }: SymbolDraft): boolean {
  if (parent !== undefined && (parent.kind === 'interface' || parent.kind === 'enum') && parent.exported)
    return true;
  if (parent !== undefined && /\bpublic extension\b/.test(parent.signature))
    return !/\b(?:private|fileprivate|internal)\b/.test(signature);
  return (
    /\b(?:public|open)\b/.test(signature) &&
    (parent === undefined || parent.exported || /\bextension\b/.test(parent.signature))
  );
}

export const swift: SyntaxTable = {
  units: {
    class_declaration: {
      kind: (view): SymbolKind =>
        view.read(view.node.childForFieldName('declaration_kind')) === 'enum' ? 'enum' : 'class',
    },
    protocol_declaration: { kind: 'interface' },
    function_declaration: { kind: 'function' },
    protocol_function_declaration: { kind: 'method' },
    protocol_property_declaration: {
      kind: 'field',
      name: (view) => view.read(view.node.childForFieldName('name')).replace(/^\w+\s+/, ''),
    },
    init_declaration: { kind: 'method', name: () => 'init' },
    deinit_declaration: { kind: 'method', name: () => 'deinit' },
    subscript_declaration: {
      kind: 'method',
      name: () => 'subscript',
      body: ({ node }) => childOfType(node, ['computed_property']),
    },
    property_declaration: {
      kind: ({ node }) => {
        if (node.childForFieldName('computed_value') !== null) return 'function';
        return node.childForFieldName('value')?.type === 'lambda_literal' ? 'function' : 'variable';
      },
      body: ({ node }) => node.childForFieldName('computed_value') ?? node.childForFieldName('value'),
      outer: true,
    },
    enum_entry: { kind: 'field', body: 'raw_value' },
    typealias_declaration: { kind: 'type' },
    associatedtype_declaration: { kind: 'type' },
  },
  wrappers: {},
  leading: ['attribute'],
  scopes: ['lambda_literal'],
  comments: usualComments,
  strings: usualStrings,
  imports: {
    import_declaration: (view) => {
      const module = /\bimport\s+(?:(?:class|struct|enum|protocol|func|var|let|typealias)\s+)?([\w.]+)/.exec(
        wholeText(view),
      )?.[1];
      return module === undefined ? [] : [{ module, names: ['*'] }];
    },
  },
  exported,
  identifiers: { plain: ['simple_identifier'], types: ['type_identifier'] },
  calls: { call_expression: '' },
  definitions: { parameter: 'name', pattern: '' },
  roles: {
    ...usualHandling,
    whole: usualHandling.whole,
    // Every call that may fail is tried, which hands its failure on.
    head: { await_expression: 'concurrency', async: 'concurrency', do_statement: 'error-handling' },
    matching: [{ type: 'control_transfer_statement', pattern: /^throw\b/, role: 'error-handling' }],
    calls: [
      [/(?:^|\.)failure$/, 'error-handling'],
      [
        /(?:^|\.)(?:Task|TaskGroup|withTaskGroup|withCheckedContinuation|NSLock|OperationQueue)(?:\.\w+)*$/,
        'concurrency',
      ],
      [
        /(?:^|\.)(?:\w*[cC]ontext|managedObjectContext|modelContext)\.(?:fetch|save|insert|delete)$/,
        'data-access',
      ],
    ],
  },
  stepMs: 0.3,
};
