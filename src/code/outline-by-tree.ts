// The outline of one file from its syntax tree. Undefined when the parse budget ran out.
import type { Language, Node, Parser, Tree } from 'web-tree-sitter';
import { collectRoles, textRoles } from './collect-roles.js';
import { collectSymbols } from './collect-symbols.js';
import { collectUses } from './collect-uses.js';
import type { Grammar } from './grammar.js';
import { type Harvest, harvest, spansOf } from './harvest.js';
import { kindsOfLines, type LineIndex, lineAt } from './line-index.js';
import type { ImportLine, Outline } from './syntax/outline-model.js';
import { type SyntaxTable, viewOf } from './syntax/syntax-table.js';

interface TreeRequest {
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

interface ParseBudget {
  /** Limit in parser steps: the same text stops at the same place on every machine. */
  readonly steps: number;
  /** Wall-clock limit, for machines far slower than the steps were priced on. */
  readonly milliseconds: number;
}

interface ParseSource {
  readonly text: string;
  readonly grammar: Language;
  readonly budget: ParseBudget;
}

let shared: Promise<Parser> | undefined;

async function sharedParser(): Promise<Parser> {
  shared ??= import('web-tree-sitter').then((runtime) => new runtime.Parser());
  return shared;
}

/** A syntax tree for the length of one call, always deleted; undefined when the budget ran out. */
export async function withTree<Result>(
  source: ParseSource,
  use: (root: Node) => Result,
): Promise<Result | undefined> {
  const parser = await sharedParser();
  const tree = parseWithin(parser, source);
  if (tree === null) return undefined;
  try {
    return use(tree.rootNode);
  } finally {
    tree.delete();
  }
}

function parseWithin(parser: Parser, { text, grammar, budget }: ParseSource): Tree | null {
  const deadline = performance.now() + budget.milliseconds;
  let steps = 0;
  const progressCallback = (): boolean => {
    steps += 1;
    return steps > budget.steps || performance.now() > deadline;
  };
  try {
    parser.setLanguage(grammar);
    const tree = parser.parse(text, null, { progressCallback });
    // A cancelled parse would otherwise be resumed by the next one.
    if (tree === null) parser.reset();
    return tree;
  } catch (error) {
    shared = undefined;
    throw error;
  }
}

/** How is a source file to be read? Apart from the outline itself, whose type must not lead callers to the parser's. */
export interface OutlineOptions {
  /** For parsing; priced in parser steps, so that equal texts are cut alike everywhere. */
  readonly budgetMs?: number;
  readonly uses?: boolean;
  readonly roles?: boolean;
  /** Digests of bodies, which only comparing two versions needs; made unless told. */
  readonly digests?: boolean;
  /** Where grammars come from; the installed ones unless told. */
  readonly grammars?: (language: string) => Promise<Grammar | undefined>;
}
