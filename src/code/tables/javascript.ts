// JavaScript and TypeScript, with JSX.
import type { Node } from 'web-tree-sitter';
import type { SymbolKind } from '../syntax/outline-model.js';
import {
  fieldText,
  type ImportEntry,
  type NodeView,
  type SymbolDraft,
  type SyntaxTable,
  type UnitRule,
  unquote,
} from '../syntax/syntax-table.js';

const kindOfValue: Readonly<Record<string, SymbolKind>> = {
  arrow_function: 'function',
  function_expression: 'function',
  function: 'function',
  generator_function: 'function',
  class: 'class',
};

const testWords =
  /\b(?:describe|context|suite|it|test|specify|bench|beforeEach|beforeAll|afterEach|afterAll|before|after|setup|teardown)\b/;
const testCall =
  /^(?:(?:Deno|t|QUnit)\.)?(?:f|x)?(?:describe|context|suite|it|test|specify|bench|beforeEach|beforeAll|afterEach|afterAll|before|after|setup|teardown)(?:\.\w+)*\s*[(`<]/;

/** The function or class behind parentheses and casts, or handed to a wrapping call such as memo(). */
function unwrapped(node: Node | null): Node | null {
  let value = node;
  while (value !== null && /^(?:parenthesized|as|satisfies|non_null|type_assertion)/.test(value.type))
    value = value.firstNamedChild;
  return value;
}

/** Calls that hand back the function they are given; map, filter and their like hand back data. */
const wrappingCall =
  /^(?:\w+\.)?(?:memo|forwardRef|useCallback|debounce|throttle|once|memoize\w*|observer|lazy|promisify|curry|cache|handler|action|callable|wrap\w*|with[A-Z]\w*|define[A-Z]\w*|create[A-Z]\w*|async[A-Z]\w*|catch[A-Z]\w*)$/;

function wrappedFunction(view: NodeView, node: Node | null): Node | null {
  const value = unwrapped(node);
  if (value?.type !== 'call_expression' || !wrappingCall.test(view.read(value.childForFieldName('function'))))
    return null;
  const given = value.childForFieldName('arguments')?.namedChildren ?? [];
  return given.find(({ type }) => Object.hasOwn(kindOfValue, type)) ?? null;
}

function bodyOfValue(field: string): (view: NodeView) => Node | null {
  return (view) => {
    const value = unwrapped(view.node.childForFieldName(field));
    if (value !== null && Object.hasOwn(kindOfValue, value.type))
      return value.childForFieldName('body') ?? value;
    return wrappedFunction(view, value)?.childForFieldName('body') ?? value;
  };
}

/** A binding: a function when it holds one, else the given kind. */
function binding(field: string, otherwise: SymbolKind | undefined): UnitRule {
  return {
    kind: (view) => {
      const value = unwrapped(view.node.childForFieldName(field));
      if (value !== null && Object.hasOwn(kindOfValue, value.type)) return kindOfValue[value.type];
      return wrappedFunction(view, value) !== null && otherwise !== undefined ? 'function' : otherwise;
    },
    body: bodyOfValue(field),
  };
}

const assignment: UnitRule = {
  ...binding('right', undefined),
  name: (view) => {
    const target = fieldText(view, 'left') ?? '';
    const last = /([\w$#]+)$/.exec(target)?.[1];
    return last === 'exports' && target.startsWith('module') ? 'module.exports' : last;
  },
};

const defaultExport: UnitRule = {
  kind: (view) => {
    const value = unwrapped(view.node.childForFieldName('value'));
    if (value === null || value.type === 'identifier') return undefined;
    return kindOfValue[value.type] ?? (wrappedFunction(view, value) === null ? 'variable' : 'function');
  },
  name: () => 'default',
  body: bodyOfValue('value'),
};

const testBlock: UnitRule = {
  kind: ({ node, text }) =>
    testCall.test(text.slice(node.startIndex, node.startIndex + 80)) && testBody(node) !== null
      ? 'test'
      : undefined,
  name: (view) => {
    const first = view.node.childForFieldName('arguments')?.firstNamedChild ?? null;
    if (first === null) return undefined;
    if (/string/.test(first.type)) return unquote(view.read(first));
    return Object.hasOwn(kindOfValue, first.type)
      ? view.read(view.node.childForFieldName('function'))
      : view.read(first).slice(0, 80);
  },
  body: ({ node }) => testBody(node)?.childForFieldName('body') ?? null,
};

function testBody(node: Node): Node | null {
  const children = node.childForFieldName('arguments')?.namedChildren ?? [];
  return children.findLast((child) => Object.hasOwn(kindOfValue, child.type)) ?? null;
}

function importNames(raw: string): string[] {
  const names: string[] = [];
  const clause = raw.replace(/\/\*[\s\S]*?\*\/|\/\/.*$/gm, '');
  const braces = /\{([\s\S]*)\}/.exec(clause)?.[1];
  const outside = clause.replace(/\{[\s\S]*\}/, '');
  for (const part of outside.split(',')) {
    const word = part.trim().replace(/^type\s+/, '');
    const all = /^\*(?:\s+as\s+([\w$]+))?/.exec(word);
    if (all !== null) names.push('*', ...(all[1] === undefined ? [] : [all[1]]));
    else if (/^[\w$]+$/.test(word)) names.push('default', word);
  }
  for (const part of braces?.split(',') ?? []) {
    const [name, alias] = part
      .trim()
      .replace(/^(?:type|typeof)\s+(?!as\b)/, '')
      .split(/\s+as\s+|\s*:\s*/);
    if (name !== undefined && name !== '') names.push(name);
    if (alias !== undefined && alias !== name) names.push(alias);
  }
  return names;
}

function esImport(view: NodeView): readonly ImportEntry[] {
  const source = view.node.childForFieldName('source');
  if (source === null) return requireClause(view);
  const whole = view.read(view.node);
  const clause = whole
    .slice(0, source.startIndex - view.node.startIndex)
    .replace(/^\s*(?:import|export)\s+(?:type\s+(?!from\b|,))?/, '')
    .replace(/\bfrom\s*$/, '');
  return [
    { module: unquote(view.read(source)), names: importNames(clause.replace(/^(?:import|export)\s*/, '')) },
  ];
}

function requireClause(view: NodeView): readonly ImportEntry[] {
  const match = /^import\s+([\w$]+)\s*=\s*require\(\s*['"]([^'"]+)['"]/.exec(view.read(view.node));
  return match === null ? [] : [{ module: match[2]!, names: ['*', match[1]!] }];
}

function requireCall(view: NodeView): readonly ImportEntry[] {
  const match =
    /^([\s\S]{1,2000}?)=\s*(?:await\s+import|require)\(\s*(['"`])([^'"`]+)\2\s*\)(?:\.([\w$]+))?/.exec(
      view.read(view.node).slice(0, 2500),
    );
  if (match === null || match[1]!.includes('=>') || match[1]!.includes('function')) return [];
  const target = match[1]!.trim();
  if (target.startsWith('{')) return [{ module: match[3]!, names: importNames(target) }];
  return [
    { module: match[3]!, names: match[4] === undefined ? ['*', target] : [...new Set([match[4], target])] },
  ];
}

function exported(draft: SymbolDraft, explicit: ReadonlySet<string>): boolean {
  const { name, kind, signature, wrappers, parent } = draft;
  if (wrappers.includes('export_statement') || name === 'default' || name === 'module.exports') return true;
  if (/^(?:module\.)?exports\./.test(signature)) return true;
  if (parent === undefined) return explicit.has(name) && !/^[\w$]+\./.test(signature);
  const isMember = kind === 'method' || kind === 'field';
  return (
    isMember &&
    parent.exported &&
    !name.startsWith('#') &&
    !/^(?:\w+ )*(?:private|protected)\b/.test(signature)
  );
}

function exportList(view: NodeView): string[] {
  const whole = view.read(view.node).slice(0, 20_000);
  if (view.node.childForFieldName('source') !== null) return [];
  const braces = /^export\s*(?:type\s*)?\{([\s\S]*)\}/.exec(whole)?.[1];
  if (braces !== undefined)
    return braces.split(',').map(
      (part) =>
        part
          .trim()
          .replace(/^type\s+/, '')
          .split(/\s+as\s+/)[0]!,
    );
  const named =
    /^export\s+default\s+([\w$]+)\s*;?$/.exec(whole.trim())?.[1] ?? /^export\s*=\s*([\w$]+)/.exec(whole)?.[1];
  return named === undefined ? [] : [named];
}

function commonExports(view: NodeView): string[] {
  if (!view.text.startsWith('module', view.node.startIndex)) return [];
  const whole = view.read(view.node).slice(0, 20_000);
  const match = /^module\.exports\s*=\s*(?:\{([\s\S]*)\}|([\w$]+)\s*;?\s*$)/.exec(whole);
  if (match === null) return [];
  return (match[1] ?? match[2]!).split(',').map(
    (part) =>
      part
        .trim()
        .split(/\s*:\s*/)
        .at(-1)!,
  );
}

const member: UnitRule = { kind: 'method' };

export const javascript: SyntaxTable = {
  units: {
    function_declaration: { kind: 'function' },
    generator_function_declaration: { kind: 'function' },
    class_declaration: { kind: 'class' },
    method_definition: member,
    variable_declarator: {
      ...binding('value', 'variable'),
      name: (view) => fieldText(view, 'name')?.replace(/\s+/g, ' '),
    },
    field_definition: { ...binding('value', 'field'), name: 'property' },
    pair: {
      ...binding('value', undefined),
      name: (view) => unquote((fieldText(view, 'key') ?? '').replace(/^\[|\]$/g, '')),
    },
    assignment_expression: assignment,
    export_statement: defaultExport,
  },
  wrappers: {
    export_statement: 'declaration',
    lexical_declaration: '*',
    variable_declaration: '*',
    expression_statement: '*',
  },
  leading: ['decorator'],
  scopes: ['arrow_function', 'function_expression', 'generator_function', 'class_static_block'],
  comments: ['comment', 'html_comment'],
  strings: ['string', 'template_string', 'regex', 'jsx_text'],
  imports: {
    import_statement: esImport,
    export_statement: (view) => (view.node.childForFieldName('source') === null ? [] : esImport(view)),
    variable_declarator: requireCall,
  },
  callUnits: { type: 'call_expression', words: testWords, rule: testBlock },
  exported,
  exportLists: { export_statement: exportList, expression_statement: commonExports },
  identifiers: {
    plain: [
      'identifier',
      'property_identifier',
      'shorthand_property_identifier',
      'shorthand_property_identifier_pattern',
      'private_property_identifier',
    ],
    types: ['type_identifier'],
  },
  calls: {
    call_expression: 'function',
    new_expression: 'constructor',
    jsx_opening_element: 'name',
    jsx_self_closing_element: 'name',
  },
  definitions: {
    required_parameter: 'pattern',
    optional_parameter: 'pattern',
    variable_declarator: 'name',
    type_parameter: 'name',
    property_signature: 'name',
  },
  roles: {
    whole: {
      catch_clause: 'error-handling',
      finally_clause: 'error-handling',
      throw_statement: 'error-handling',
    },
    head: {
      try_statement: 'error-handling',
      await_expression: 'concurrency',
      async: 'concurrency',
      for_await: 'concurrency',
    },
    calls: [[/^(?:useQuery|useMutation|gql|sql)$/, 'data-access']],
  },
};

export const typescript: SyntaxTable = {
  ...javascript,
  units: {
    ...Object.fromEntries(Object.entries(javascript.units).filter(([type]) => type !== 'field_definition')),
    abstract_class_declaration: { kind: 'class' },
    function_signature: { kind: 'function' },
    abstract_method_signature: member,
    method_signature: { ...member, inside: ['interface', 'type', 'class'] },
    public_field_definition: binding('value', 'field'),
    property_signature: { kind: 'field', inside: ['interface', 'type'] },
    interface_declaration: { kind: 'interface' },
    type_alias_declaration: { kind: 'type', body: 'value' },
    enum_declaration: { kind: 'enum' },
    internal_module: { kind: 'module' },
    module: { kind: 'module', name: (view) => unquote(fieldText(view, 'name') ?? '') },
  },
  wrappers: { ...javascript.wrappers, ambient_declaration: '*' },
};
