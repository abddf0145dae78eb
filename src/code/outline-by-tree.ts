// The outline of one file from its syntax tree. Undefined when the parse budget ran out.
import type { Language, Node } from 'web-tree-sitter';
import { collectRoles } from './collect-roles.js';
import { collectSymbols } from './collect-symbols.js';
import { collectUses } from './collect-uses.js';
import { type Harvest, harvest, spansOf } from './harvest.js';
import { type LineIndex, lineAt } from './line-index.js';
import { kindsOfLines } from './line-kinds.js';
import type { ImportLine, Outline } from './outline-model.js';
import type { OutlineOptions } from './outline-options.js';
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
  readonly options: Pick<OutlineOptions, 'uses' | 'roles' | 'digests'>;
}

export function outlineByTree(request: TreeRequest): Promise<Outline | undefined> {
  const { text, grammar, budget } = request;
  return withTree({ text, grammar, budget }, (root) => read(root, request));
}

function read(root: Node, request: TreeRequest): Outline {
  const { text, original, lines, table, language, options } = request;
  const found = harvest(root, table, { text, uses: options.uses === true, roles: options.roles === true });
  const comments = spansOf(found.comments);
  const { symbols, docstrings, names } = collectSymbols({
    root,
    text,
    lines,
    table,
    comments,
    units: found.units,
    digests: options.digests !== false,
  });
  const quiet = merge(comments, docstrings);
  const imports = collectImports(found, request);
  const strings = outermost(spansOf(found.strings));
  const source = { harvest: found, text, lines, table };
  const spoken = { text, lines, symbols, comments, docstrings, strings, imports: imports.spans };
  return {
    language,
    parsed: true,
    damaged: root.hasError,
    lineCount: lines.count,
    symbols,
    imports: imports.lines,
    lineKinds: kindsOfLines(original, lines, quiet),
    uses: options.uses ? collectUses({ ...source, definitions: names, imports: imports.spans }) : [],
    roles: options.roles ? [...textRoles(spoken), ...collectRoles(source)] : [],
    comments: quiet,
    strings,
    warnings: [],
  };
}

function collectImports(
  found: Harvest,
  { text, lines, table }: TreeRequest,
): { lines: ImportLine[]; spans: number[] } {
  const imports: ImportLine[] = [];
  const spans: number[] = [];
  for (const { node, type } of found.imports) {
    const entries = table.imports[type]?.(viewOf(node, text)) ?? [];
    if (entries.length === 0) continue;
    const { startIndex } = node;
    const end = startIndex + text.slice(startIndex, node.endIndex).trimEnd().length;
    spans.push(startIndex, end);
    const extent = {
      startLine: lineAt(lines, startIndex),
      endLine: lineAt(lines, Math.max(startIndex, end - 1)),
    };
    for (const entry of entries) imports.push({ ...extent, ...entry });
  }
  return { lines: imports, spans };
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
