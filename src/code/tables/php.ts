// PHP.
import {
  fieldText,
  type ImportEntry,
  type NodeView,
  type SyntaxTable,
  type UnitRule,
} from '../syntax/syntax-table.js';
import {
  childOfType,
  usualComments,
  usualHandling,
  usualStrings,
  visibleUnless,
  wholeText,
} from './usual-nodes.js';

const functionTypes = new Set([
  'anonymous_function',
  'anonymous_function_creation_expression',
  'arrow_function',
]);

function elements(type: string): UnitRule {
  return {
    kind: type === 'const_element' ? 'variable' : 'field',
    name: (view) =>
      view.node.namedChildren
        .filter((child) => child.type === type)
        .map((child) =>
          view.read(child.childForFieldName('name') ?? child.firstNamedChild).replace(/^\$/, ''),
        )
        .join(', '),
    body: ({ node }) => {
      const element = childOfType(node, [type]);
      return (
        element?.childForFieldName('default_value') ??
        (type === 'const_element' ? (element?.lastNamedChild ?? null) : null)
      );
    },
  };
}

const assignment: UnitRule = {
  kind: ({ node }) =>
    functionTypes.has(node.childForFieldName('right')?.type ?? '') ? 'function' : undefined,
  name: (view) => fieldText(view, 'left')?.replace(/^\$/, ''),
  body: ({ node }) => node.childForFieldName('right')?.childForFieldName('body') ?? null,
};

function used(view: NodeView): ImportEntry[] {
  const body = wholeText(view).replace(/^use\s+(?:function\s+|const\s+)?|;[\s\S]*$/g, '');
  const group = /^([\w\\]+)\\\{([\s\S]*)\}$/.exec(body.trim());
  const clauses =
    group === null ? body.split(',') : group[2]!.split(',').map((part) => `${group[1]}\\${part.trim()}`);
  return clauses.flatMap((clause) => {
    const [path, alias] = clause
      .trim()
      .replace(/^\\/, '')
      .split(/\s+as\s+/i);
    if (path === undefined || path === '' || path.endsWith('\\')) return [];
    const last = path.slice(path.lastIndexOf('\\') + 1);
    return [{ module: path, names: alias === undefined ? [last] : [last, alias] }];
  });
}

function included(view: NodeView): ImportEntry[] {
  const module = /['"]([^'"]+)['"]/.exec(wholeText(view))?.[1];
  return module === undefined ? [] : [{ module, names: ['*'] }];
}

export const php: SyntaxTable = {
  units: {
    namespace_definition: {
      kind: ({ node }) => (node.childForFieldName('body') === null ? undefined : 'module'),
    },
    class_declaration: { kind: 'class' },
    trait_declaration: { kind: 'class' },
    interface_declaration: { kind: 'interface' },
    enum_declaration: { kind: 'enum' },
    enum_case: { kind: 'field', body: 'value' },
    function_definition: { kind: 'function' },
    method_declaration: { kind: 'method' },
    property_declaration: elements('property_element'),
    const_declaration: elements('const_element'),
    assignment_expression: assignment,
  },
  wrappers: { expression_statement: '*' },
  leading: ['attribute_list'],
  scopes: [...functionTypes],
  comments: usualComments,
  strings: usualStrings,
  imports: {
    namespace_use_declaration: used,
    require_expression: included,
    require_once_expression: included,
    include_expression: included,
    include_once_expression: included,
  },
  exported: visibleUnless(/^(?:\w+ )*(?:private|protected)\b/),
  identifiers: { plain: ['name', 'variable_name'], types: [] },
  calls: {
    function_call_expression: 'function',
    member_call_expression: 'name',
    nullsafe_member_call_expression: 'name',
    scoped_call_expression: 'name',
    object_creation_expression: '',
  },
  definitions: { simple_parameter: 'name', variadic_parameter: 'name', property_promotion_parameter: 'name' },
  roles: {
    whole: { ...usualHandling.whole, namespace_definition: 'import' },
    head: usualHandling.head,
    calls: [
      [/^Route::\w+$/, 'routing'],
      [
        /^(?:DB|Schema|[A-Z]\w+)::(?:table|select|insert|update|delete|statement|where|find|create|all|query|raw)$/,
        'data-access',
      ],
      [/^(?:Log|error_log|syslog|trigger_error)(?:::\w+)?$/, 'logging'],
      [/^(?:mysqli_\w+|pg_\w+)$/, 'data-access'],
    ],
  },
};
