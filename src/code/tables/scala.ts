// Scala 2 and 3.
import {
  type ImportEntry,
  type NodeView,
  type SyntaxTable,
  type UnitRule,
  unquote,
} from '../syntax/syntax-table.js';
import {
  dottedImport,
  usualComments,
  usualHandling,
  usualStrings,
  visibleUnless,
  wholeText,
} from './usual-nodes.js';

const testHead = /^(?:test|it|they|describe|feature|Feature|scenario|Scenario|property)\s*\(/;

const value: UnitRule = { kind: 'variable', name: 'pattern', body: 'value' };

const testBlock: UnitRule = {
  kind: ({ node, text }) => {
    const body = node.childForFieldName('arguments')?.type;
    return (body === 'block' || body === 'colon_argument') &&
      testHead.test(text.slice(node.startIndex, node.startIndex + 40))
      ? 'test'
      : undefined;
  },
  name: (view) =>
    unquote(/\(\s*("""[\s\S]*?"""|"(?:[^"\\]|\\.)*")/.exec(wholeText(view).slice(0, 400))?.[1] ?? 'test'),
  body: 'arguments',
};

function imported(view: NodeView): ImportEntry[] {
  return wholeText(view)
    .replace(/^import\s+/, '')
    .split(/,(?![^{]*\})/)
    .flatMap((clause) => {
      const selectors = /^\s*([\w.]+)\.\{([\s\S]*)\}\s*$/.exec(clause);
      if (selectors === null) {
        const [path, alias] = clause.trim().split(/\s+as\s+/);
        return dottedImport(path ?? '', alias);
      }
      const names = selectors[2]!.split(',').flatMap((part) =>
        part
          .trim()
          .replace(/^_$/, '*')
          .split(/\s*=>\s*|\s+as\s+/),
      );
      return [{ module: selectors[1]!, names: names.filter((name) => name !== '' && name !== '_') }];
    });
}

export const scala: SyntaxTable = {
  units: {
    class_definition: { kind: 'class' },
    object_definition: { kind: 'class' },
    trait_definition: { kind: 'interface' },
    enum_definition: { kind: 'enum' },
    simple_enum_case: { kind: 'field' },
    full_enum_case: { kind: 'field' },
    package_object: { kind: 'module' },
    function_definition: { kind: 'function' },
    function_declaration: { kind: 'function' },
    given_definition: { kind: 'variable' },
    extension_definition: {
      kind: 'class',
      name: (view) =>
        `extension ${view.read(view.node.childForFieldName('parameters')).replace(/\s+/g, ' ')}`,
    },
    val_definition: value,
    var_definition: value,
    val_declaration: { ...value, name: 'name' },
    var_declaration: { ...value, name: 'name' },
    type_definition: { kind: 'type', body: 'type' },
  },
  wrappers: {},
  leading: ['annotation'],
  scopes: ['lambda_expression', 'case_block', 'block'],
  comments: usualComments,
  strings: usualStrings,
  imports: { import_declaration: imported },
  callUnits: {
    type: 'call_expression',
    words: /\b(?:test|it|describe|[fF]eature|[sS]cenario|property)\s*\(/,
    rule: testBlock,
  },
  exported: visibleUnless(/^(?:\w+ )*(?:private|protected)\b/),
  identifiers: { plain: ['identifier'], types: ['type_identifier'] },
  calls: { call_expression: 'function', instance_expression: '' },
  definitions: {
    parameter: 'name',
    class_parameter: 'name',
    val_definition: 'pattern',
    var_definition: 'pattern',
  },
  roles: {
    whole: { ...usualHandling.whole, package_clause: 'import' },
    head: usualHandling.head,
    calls: [
      [
        /^(?:Try|Left|Failure|Either\.\w+|recover|recoverWith|handleError\w*|raiseError|sys\.error)$/,
        'error-handling',
      ],
      [/^(?:Future|Await\.\w+|Future\.\w+|synchronized|blocking|Promise)$/, 'concurrency'],
    ],
  },
  stepMs: 0.2,
};
