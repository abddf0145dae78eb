// The outline of one file from its syntax tree. Undefined when the parse budget ran out.
import type { Language, Node } from 'web-tree-sitter';
import { collectRoles } from './collect-roles.js';
import { collectSymbols } from './collect-symbols.js';
import { collectUses } from './collect-uses.js';
import { type LineIndex, lineAt } from './line-index.js';
import { kindsOfLines } from './line-kinds.js';
import type { ImportLine, Outline, OutlineOptions } from './outline.js';
import { type ParseBudget, withTree } from './parse.js';
import type { SyntaxTable } from './syntax-table.js';
import { viewOf } from './syntax-view.js';
import { textRoles } from './text-roles.js';

export interface TreeRequest {
  readonly text: string;
  /** The text before conflict markers were blanked. */
  readonly original: string;
  readonly lines: LineIndex;
  readonly language: string;
  readonly table: SyntaxTable;
  readonly grammar: Language;
  readonly budget: ParseBudget;
  readonly options: Pick<OutlineOptions, 'uses' | 'roles'>;
}

export function outlineByTree(request: TreeRequest): Promise<Outline | undefined> {
  const { text, grammar, budget } = request;
  return withTree({ text, grammar, budget }, (root) => read(root, request));
}

function read(root: Node, request: TreeRequest): Outline {
  const { text, original, lines, table, language, options } = request;
  const comments = root
    .descendantsOfType([...table.comments])
    .flatMap((node) => [node.startIndex, node.endIndex]);
  const { symbols, docstrings, names } = collectSymbols({ root, text, lines, table, comments });
  const quiet = merge(comments, docstrings);
  const imports = collectImports(root, request);
  const strings = options.roles
    ? root.descendantsOfType([...table.strings]).flatMap((node) => [node.startIndex, node.endIndex])
    : [];
  const source = { root, text, lines, table };
  return {
    language,
    parsed: true,
    damaged: root.hasError,
    lineCount: lines.count,
    symbols,
    imports: imports.lines,
    lineKinds: kindsOfLines(original, lines, quiet),
    uses: options.uses ? collectUses({ ...source, definitions: names, imports: imports.spans }) : [],
    roles: options.roles
      ? [
          ...textRoles({ text, lines, symbols, comments, docstrings, strings, imports: imports.spans }),
          ...collectRoles(source),
        ]
      : [],
    comments: quiet,
    strings: outermost(strings),
    warnings: [],
  };
}

function collectImports(
  root: Node,
  { text, lines, table }: TreeRequest,
): { lines: ImportLine[]; spans: number[] } {
  const found: ImportLine[] = [];
  const spans: number[] = [];
  const types = Object.keys(table.imports);
  for (const node of types.length === 0 ? [] : root.descendantsOfType(types)) {
    const entries = table.imports[node.type]?.(viewOf(node, text)) ?? [];
    if (entries.length === 0) continue;
    const startLine = lineAt(lines, node.startIndex);
    const endLine = lineAt(
      lines,
      node.startIndex + text.slice(node.startIndex, node.endIndex).trimEnd().length - 1,
    );
    spans.push(node.startIndex, node.endIndex);
    for (const entry of entries) found.push({ startLine, endLine, ...entry });
  }
  return { lines: found, spans };
}

function merge(left: readonly number[], right: readonly number[]): number[] {
  if (right.length === 0) return [...left];
  const pairs: [number, number][] = [];
  for (const list of [left, right])
    for (let at = 0; at < list.length; at += 2) pairs.push([list[at]!, list[at + 1]!]);
  return outermost(pairs.sort((a, b) => a[0] - b[0] || b[1] - a[1]).flat());
}

/** Spans in order, those inside another dropped. */
function outermost(spans: readonly number[]): number[] {
  const kept: number[] = [];
  let until = -1;
  for (let at = 0; at < spans.length; at += 2) {
    if (spans[at]! < until) continue;
    kept.push(spans[at]!, spans[at + 1]!);
    until = spans[at + 1]!;
  }
  return kept;
}
