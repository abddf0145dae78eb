// Node types and readings that many grammars share. Types a grammar does not have are never found, so lists may be wide.
import type { Node } from 'web-tree-sitter';
import type { RoleRules } from '../syntax/outline-model.js';
import type { ImportEntry, NodeView, SymbolDraft } from '../syntax/syntax-table.js';

export const usualComments: readonly string[] = [
  'comment',
  'line_comment',
  'block_comment',
  'multiline_comment',
];

export const usualStrings: readonly string[] = [
  'string',
  'string_literal',
  'raw_string_literal',
  'char_literal',
  'character_literal',
  'interpolated_string_expression',
  'interpolated_string',
  'verbatim_string_literal',
  'encapsed_string',
  'heredoc',
  'heredoc_body',
  'nowdoc_body',
  'raw_string',
  'ansi_c_string',
  'line_string_literal',
  'multi_line_string_literal',
  'multiline_string_literal',
  'text_block',
];

export const usualHandling: Required<Pick<RoleRules, 'whole' | 'head'>> = {
  whole: {
    catch_clause: 'error-handling',
    catch_block: 'error-handling',
    finally_clause: 'error-handling',
    finally_block: 'error-handling',
    throw_statement: 'error-handling',
    throw_expression: 'error-handling',
  },
  head: {
    try_statement: 'error-handling',
    try_expression: 'error-handling',
    try_with_resources_statement: 'error-handling',
    await_expression: 'concurrency',
    async: 'concurrency',
  },
};

export function childOfType(node: Node, types: readonly string[]): Node | null {
  return node.namedChildren.find(({ type }) => types.includes(type)) ?? null;
}

/** What stands right of the equals sign. */
export function assigned(node: Node): Node | null {
  return node.children.find(({ type }) => type === '=')?.nextSibling ?? null;
}

/** `a.b.C` gives module a.b and name C; `a.b.*` everything of a.b. */
export function dottedImport(path: string, alias: string | undefined): ImportEntry[] {
  const clean = path.replace(/\s+/g, '');
  const cut = clean.lastIndexOf('.');
  const last = clean.slice(cut + 1);
  if (last === '*' || last === '_') return [{ module: clean.slice(0, cut), names: ['*'] }];
  return [{ module: clean, names: alias === undefined || alias === last ? [last] : [last, alias] }];
}

/** Visible unless it or what holds it says otherwise. */
export function visibleUnless(words: RegExp): (draft: SymbolDraft) => boolean {
  return ({ signature, parent }) =>
    !words.test(signature) && (parent === undefined || parent.kind === 'module' || parent.exported);
}

/** Visible only with the word, or as a member of a visible interface or enum. */
export function visibleWith(words: RegExp): (draft: SymbolDraft) => boolean {
  return ({ signature, parent }) => {
    if (parent?.kind === 'interface' || parent?.kind === 'enum') return parent.exported;
    return words.test(signature) && (parent === undefined || parent.kind === 'module' || parent.exported);
  };
}

export function wholeText(view: NodeView): string {
  return view.read(view.node);
}
