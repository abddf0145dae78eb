// A syntax tree for the length of one call: parsed within a budget, always deleted.
import type { Language, Node, Parser, Tree } from 'web-tree-sitter';

export interface ParseBudget {
  /** Limit in parser steps: the same text stops at the same place on every machine. */
  readonly steps: number;
  /** Wall-clock limit, for machines far slower than the steps were priced on. */
  readonly milliseconds: number;
}

export interface ParseSource {
  readonly text: string;
  readonly grammar: Language;
  readonly budget: ParseBudget;
}

let shared: Promise<Parser> | undefined;

async function sharedParser(): Promise<Parser> {
  shared ??= import('web-tree-sitter').then((runtime) => new runtime.Parser());
  return shared;
}

/** Undefined when the budget ran out. */
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
