// C and C++.
import type { Node } from 'web-tree-sitter';
import type { SymbolKind } from '../syntax/outline-model.js';
import type { NodeView, SymbolDraft, SyntaxTable, UnitRule } from '../syntax/syntax-table.js';
import { usualComments, usualHandling, usualStrings, wholeText } from './usual-nodes.js';

const anonymous = '(anonymous)';
const namedTypes = new Set([
  'identifier',
  'field_identifier',
  'type_identifier',
  'destructor_name',
  'operator_name',
  'qualified_identifier',
  'template_function',
]);

function innermost(node: Node): { name: Node; isFunction: boolean } | undefined {
  let at = node.childForFieldName('declarator');
  let isFunction = false;
  for (let depth = 0; at !== null && depth < 20; depth += 1) {
    if (namedTypes.has(at.type) || at.type === 'operator_cast')
      return { name: at, isFunction: isFunction || at.type === 'operator_cast' };
    if (at.type === 'function_declarator') isFunction = true;
    else if (at.type === 'parenthesized_declarator') isFunction = false;
    at = at.childForFieldName('declarator') ?? at.firstNamedChild;
  }
  return undefined;
}

function declaredName(view: NodeView): string | undefined {
  const found = innermost(view.node)?.name;
  if (found === undefined) return undefined;
  if (found.type === 'operator_cast') return `operator ${view.read(found.childForFieldName('type'))}`;
  const text = view.read(found).replace(/\s+/g, ' ');
  if (found.type !== 'qualified_identifier') return text.replace(/<.*$/, '') || text;
  return /(?:~\s*)?(?:operator\s*.+|[\w$]+)$/.exec(text.replace(/<[^<>]*>$/, ''))?.[0] ?? text;
}

const definition: UnitRule = {
  kind: ({ node }) => (innermost(node)?.name.type === 'qualified_identifier' ? 'method' : 'function'),
  name: declaredName,
};

function declaration(kind: SymbolKind, callable: SymbolKind): UnitRule {
  return {
    kind: ({ node }) => (innermost(node)?.isFunction ? callable : kind),
    name: declaredName,
    body: ({ node }) =>
      node.childForFieldName('declarator')?.childForFieldName('value') ??
      node.childForFieldName('default_value'),
    outer: true,
  };
}

/** A struct without a body only refers to one. */
function specifier(kind: SymbolKind): UnitRule {
  return { kind: ({ node }) => (node.childForFieldName('body') === null ? undefined : kind) };
}

const typedef: UnitRule = {
  kind: ({ node }) => {
    const type = node.childForFieldName('type');
    const holdsBody = type?.childForFieldName('body') !== null && type?.childForFieldName('name') === null;
    return holdsBody && /struct|union/.test(type?.type ?? '') ? 'class' : 'type';
  },
  name: declaredName,
  body: ({ node }) => node.childForFieldName('type')?.childForFieldName('body') ?? null,
};

function include(view: NodeView): { module: string; names: string[] }[] {
  const module = view.read(view.node.childForFieldName('path')).replace(/^[<"]|[>"]$/g, '');
  return module === '' ? [] : [{ module, names: ['*'] }];
}

function exported({ name, signature, parent, before }: SymbolDraft): boolean {
  if (/\bstatic\b/.test(signature) && (parent === undefined || parent.kind === 'module')) return false;
  if (name === anonymous || parent?.name === anonymous) return false;
  if (parent === undefined || parent.kind === 'module' || parent.kind === 'enum')
    return parent?.exported ?? true;
  const section = [...before().matchAll(/\b(public|private|protected)\s*(?:slots\s*)?:(?!:)/g)].at(-1)?.[1];
  return (
    parent.exported && (section ?? (/\bclass\b/.test(parent.signature) ? 'private' : 'public')) === 'public'
  );
}

export const c: SyntaxTable = {
  units: {
    function_definition: definition,
    declaration: declaration('variable', 'function'),
    field_declaration: declaration('field', 'method'),
    struct_specifier: specifier('class'),
    union_specifier: specifier('class'),
    enum_specifier: specifier('enum'),
    enumerator: { kind: 'field', body: 'value' },
    type_definition: typedef,
    preproc_function_def: { kind: 'function', body: 'value' },
    preproc_def: {
      kind: ({ node }) => (node.childForFieldName('value') === null ? undefined : 'variable'),
      body: 'value',
    },
  },
  wrappers: {},
  leading: ['attribute_declaration', 'attribute_specifier'],
  scopes: ['lambda_expression', 'compound_statement'],
  comments: usualComments,
  strings: [...usualStrings, 'system_lib_string'],
  imports: { preproc_include: include },
  exported,
  identifiers: {
    plain: ['identifier', 'field_identifier', 'namespace_identifier'],
    types: ['type_identifier'],
  },
  calls: { call_expression: 'function', new_expression: 'type' },
  definitions: { parameter_declaration: 'declarator', init_declarator: 'declarator' },
  roles: {
    ...usualHandling,
    matching: [
      {
        type: 'if_statement',
        pattern:
          // What is not there is a failure only where it ends something.
          /^if\s*\((?:[^)]*(?:\berrno\b|\berr\b|\bret\b|\brc\b|== ?NULL(?=[\s\S]*\b(?:return|goto|break|continue|throw|exit|abort|\w*(?:err|fail)\w*)\b)|\) ?< ?0|\b(?:res|result|status|fd|r)\b ?< ?0|\b(?:len|n)\b ?< ?0(?=[\s\S]*(?:\breturn\s*(?:-|NULL\b|0\b|false\b)|\b(?:goto|throw|exit|abort|\w*(?:err|fail)\w*)\b))|FAILED))/,
        role: 'error-handling',
      },
      { type: 'goto_statement', pattern: /^goto\s+\w*(?:err|fail|out|cleanup)/i, role: 'error-handling' },
      {
        type: 'declaration',
        pattern:
          /^[^;{]*(?:std::)?(?:atomic|mutex|lock_guard|unique_lock|scoped_lock|thread|jthread|future|condition_variable)\b/,
        role: 'concurrency',
      },
    ],
    calls: [
      [/^(?:perror|exit|assert|BUG_ON|WARN_ON|abort)$/, 'error-handling'],
      [/^(?:pr_\w+|dev_(?:err|warn|info|dbg)|printk|LOG\w*|VLOG|syslog)$/, 'logging'],
      [/^(?:pthread_\w+|mutex_\w+|spin_\w+|atomic_\w+|rcu_\w+|co_await)$/, 'concurrency'],
      [/^(?:sqlite3_\w+|mysql_\w+|PQ\w+)$/, 'data-access'],
    ],
  },
};

export const cpp: SyntaxTable = {
  ...c,
  units: {
    ...c.units,
    class_specifier: specifier('class'),
    namespace_definition: {
      kind: 'module',
      name: (view) => view.read(view.node.childForFieldName('name')).replace(/\s+/g, '') || anonymous,
    },
    alias_declaration: { kind: 'type', body: 'type', outer: true },
    concept_definition: { kind: 'type' },
  },
  wrappers: { template_declaration: '+', export_declaration: '+' },
  imports: {
    ...c.imports,
    using_declaration: (view) => using(view),
    import_declaration: (view) => using(view),
  },
};

function using(view: NodeView): { module: string; names: string[] }[] {
  const match = /^(?:using\s+(namespace\s+)?|import\s+)([\w:<>."/]+)/.exec(wholeText(view));
  if (match === null) return [];
  const path = match[2]!;
  return [{ module: path, names: match[1] === undefined ? [path.slice(path.lastIndexOf(':') + 1)] : ['*'] }];
}
