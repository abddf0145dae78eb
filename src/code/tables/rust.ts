// Rust.
import type { ImportEntry, NodeView, SymbolDraft, SyntaxTable } from '../syntax/syntax-table.js';
import { usualComments, usualHandling, usualStrings, wholeText } from './usual-nodes.js';

/** `a::{b, c::{self, D as E}}` as one entry per leaf path. */
function useTree(tree: string, prefix = ''): ImportEntry[] {
  const brace = tree.indexOf('{');
  if (brace === -1) {
    const [path, alias] = tree.trim().split(/\s+as\s+/);
    if (path === undefined || path === '') return [];
    const whole = path === 'self' ? prefix.replace(/::$/, '') : prefix + path;
    const last = whole.slice(whole.lastIndexOf(':') + 1);
    const module = last === '*' ? whole.replace(/::\*$/, '') : whole;
    return [{ module, names: alias === undefined || alias === last ? [last] : [last, alias] }];
  }
  const head = prefix + tree.slice(0, brace).trim();
  const inner = tree.slice(brace + 1, tree.lastIndexOf('}'));
  return topLevelParts(inner).flatMap((part) => useTree(part, head));
}

function topLevelParts(list: string): string[] {
  const parts: string[] = [];
  let depth = 0;
  let from = 0;
  for (let at = 0; at <= list.length; at += 1) {
    const character = list[at];
    if (character === '{') depth += 1;
    else if (character === '}') depth -= 1;
    else if ((character === ',' || character === undefined) && depth === 0) {
      parts.push(list.slice(from, at).trim());
      from = at + 1;
    }
  }
  return parts.filter((part) => part !== '');
}

function use(view: NodeView): ImportEntry[] {
  const body = wholeText(view).replace(/\/\/.*$/gm, '');
  const tree = /^(?:pub(?:\s*\([^)]*\))?\s+)?(?:use|extern\s+crate)\s+([\s\S]*?);?\s*$/.exec(body)?.[1];
  return tree === undefined ? [] : useTree(tree.replace(/\s+/g, ' ')).slice(0, 200);
}

function implName(view: NodeView): string {
  const bare = (field: string): string =>
    view
      .read(view.node.childForFieldName(field))
      .replace(/<[\s\S]*$/, '')
      .replace(/\s+/g, ' ');
  const trait = bare('trait');
  return trait === '' ? bare('type') : `${trait} for ${bare('type')}`;
}

function exported({ signature, parent }: SymbolDraft): boolean {
  if (parent?.kind === 'interface' || parent?.kind === 'enum') return parent.exported;
  return /^pub (?!\()/.test(signature) || /^pub(?:lic)?$/.test(signature);
}

/** An attribute above it says so. */
function isTest({ node, read }: NodeView): boolean {
  let above = node.previousNamedSibling;
  while (above?.type === 'attribute_item') {
    if (/^#\[\s*(?:\w+::)*(?:test|rstest|test_case|bench)\b/.test(read(above))) return true;
    above = above.previousNamedSibling;
  }
  return false;
}

export const rust: SyntaxTable = {
  units: {
    function_item: { kind: (view) => (isTest(view) ? 'test' : 'function') },
    function_signature_item: { kind: 'function' },
    struct_item: { kind: 'class' },
    union_item: { kind: 'class' },
    enum_item: { kind: 'enum' },
    enum_variant: { kind: 'field' },
    field_declaration: { kind: 'field' },
    trait_item: { kind: 'interface' },
    impl_item: { kind: 'class', name: implName },
    mod_item: { kind: ({ node }) => (node.childForFieldName('body') === null ? undefined : 'module') },
    macro_definition: { kind: 'function', body: ({ node }) => node.namedChild(1) },
    const_item: { kind: 'variable', body: 'value' },
    static_item: { kind: 'variable', body: 'value' },
    type_item: { kind: 'type', body: 'type' },
    associated_type: { kind: 'type' },
    let_declaration: {
      kind: ({ node }) =>
        node.childForFieldName('value')?.type === 'closure_expression' ? 'function' : undefined,
      name: 'pattern',
      body: ({ node }) => node.childForFieldName('value')?.childForFieldName('body') ?? null,
    },
  },
  wrappers: {},
  leading: ['attribute_item'],
  scopes: ['closure_expression'],
  comments: usualComments,
  strings: usualStrings,
  imports: {
    use_declaration: use,
    extern_crate_declaration: use,
    mod_item: (view) =>
      view.node.childForFieldName('body') === null
        ? [{ module: `self::${view.read(view.node.childForFieldName('name'))}`, names: ['*'] }]
        : [],
  },
  exported,
  identifiers: {
    plain: ['identifier', 'field_identifier', 'shorthand_field_identifier'],
    types: ['type_identifier'],
  },
  calls: { call_expression: 'function', macro_invocation: 'macro' },
  definitions: { let_declaration: 'pattern', parameter: 'pattern', type_parameter: 'name' },
  roles: {
    whole: usualHandling.whole,
    // A question mark hands a failure on, which is how most code reads; `Result` says no more.
    head: { await_expression: 'concurrency', async: 'concurrency' },
    matching: [
      { type: 'match_arm', pattern: /^Err\s*\(/, role: 'error-handling' },
      { type: 'if_expression', pattern: /^if\s+let\s+Err\s*\(/, role: 'error-handling' },
      { type: 'generic_type', pattern: /^(?:Mutex|RwLock|Atomic\w*|mpsc::\w+)</, role: 'concurrency' },
    ],
    calls: [
      [/^(?:Err|bail|ensure|anyhow|panic|err(?:_\w+)?)$/, 'error-handling'],
      [/^(?:tracing::)?(?:info|warn|error|debug|trace)$/, 'logging'],
      [/^(?:select|join|tokio::select|thread::spawn|spawn)$/, 'concurrency'],
      [/^(?:sqlx::\w+|query|query_as)$/, 'data-access'],
    ],
  },
};
