// Ruby, with the blocks of RSpec, Rake and Rails routes.
import type { SymbolKind } from '../syntax/outline-model.js';
import {
  fieldText,
  type NodeView,
  type SymbolDraft,
  type SyntaxTable,
  type UnitRule,
  unquote,
} from '../syntax/syntax-table.js';
import { usualComments, usualHandling, usualStrings } from './usual-nodes.js';

const blockCalls: Readonly<Record<string, SymbolKind>> = {
  describe: 'test',
  context: 'test',
  it: 'test',
  specify: 'test',
  feature: 'test',
  scenario: 'test',
  test: 'test',
  example: 'test',
  before: 'test',
  after: 'test',
  around: 'test',
  setup: 'test',
  teardown: 'test',
  let: 'test',
  'let!': 'test',
  subject: 'test',
  shared_examples: 'test',
  shared_context: 'test',
  define_method: 'function',
  task: 'block',
  namespace: 'block',
  scope: 'block',
  included: 'block',
  class_methods: 'block',
  resources: 'block',
  resource: 'block',
  configure: 'block',
};

const blockCall: UnitRule = {
  kind: (view) => {
    const method = fieldText(view, 'method') ?? '';
    return view.node.childForFieldName('block') !== null && Object.hasOwn(blockCalls, method)
      ? blockCalls[method]
      : undefined;
  },
  name: (view) => {
    const first = view.node.childForFieldName('arguments')?.firstNamedChild ?? null;
    const name = first === null ? '' : unquote(view.read(first)).replace(/^:/, '');
    return name === '' ? fieldText(view, 'method') : name.slice(0, 120);
  },
  body: ({ node }) => node.childForFieldName('block'),
};

function required(view: NodeView): { module: string; names: string[] }[] {
  const method = fieldText(view, 'method') ?? '';
  if (
    !/^(?:require|require_relative|load|autoload)$/.test(method) ||
    view.node.childForFieldName('receiver') !== null
  )
    return [];
  const last = view.node.childForFieldName('arguments')?.lastNamedChild ?? null;
  return last?.type === 'string' ? [{ module: unquote(view.read(last)), names: ['*'] }] : [];
}

function exported({ kind, parent, before, signature }: SymbolDraft): boolean {
  if (kind === 'block') return false;
  if (kind !== 'method' || parent === undefined) return parent?.exported ?? true;
  if (/^def self\./.test(signature)) return parent.exported;
  const word =
    [...before().matchAll(/^[ \t]*(public|private|protected)[ \t]*(?:#.*)?\r?$/gm)].at(-1)?.[1] ?? 'public';
  return parent.exported && word === 'public' && !/\b(?:private|protected)\s+$/.test(before());
}

export const ruby: SyntaxTable = {
  units: {
    module: { kind: 'module' },
    class: { kind: 'class' },
    singleton_class: { kind: 'class', name: (view) => `<< ${fieldText(view, 'value') ?? 'self'}` },
    method: { kind: 'function' },
    singleton_method: { kind: 'function' },
    assignment: {
      kind: (view) => {
        if (/^(?:lambda|->|proc|Proc\.new)/.test(fieldText(view, 'right') ?? '')) return 'function';
        return view.node.childForFieldName('left')?.type === 'constant' ? 'variable' : undefined;
      },
      name: 'left',
      body: 'right',
    },
  },
  wrappers: {},
  leading: [],
  scopes: ['block', 'do_block', 'lambda'],
  comments: usualComments,
  strings: usualStrings,
  imports: { call: required },
  callUnits: { type: 'call', words: /\bdo\b|\{/, rule: blockCall },
  exported,
  identifiers: { plain: ['identifier', 'constant'], types: [] },
  calls: { call: 'method' },
  definitions: {
    assignment: 'left',
    optional_parameter: 'name',
    keyword_parameter: 'name',
    splat_parameter: 'name',
    block_parameter: 'name',
  },
  roles: {
    whole: {
      ...usualHandling.whole,
      rescue: 'error-handling',
      ensure: 'error-handling',
      rescue_modifier: 'error-handling',
    },
    head: usualHandling.head,
    calls: [
      [/^(?:raise|fail|abort|retry)$/, 'error-handling'],
      [/^(?:get|post|put|patch|delete|resources?|root|namespace|mount|match|scope)$/, 'routing'],
      [/^(?:Thread|Mutex|Ractor|Concurrent::\w+|Queue|Fiber)(?:\.\w+)?$/, 'concurrency'],
      [
        /(?:\.|^)(?:where|find_by!?|joins|includes|pluck|find_each|update_all|delete_all|has_many|belongs_to|has_one|add_column|create_table|add_index|remove_column)$/,
        'data-access',
      ],
    ],
  },
};
