// A syntax tree for the length of one call: parsed within a budget, always deleted.
import type { Language, Node, Parser } from 'web-tree-sitter';

export interface ParseBudget {
  /** Wall-clock limit. */
  readonly milliseconds: number;
  /** Limit in parser steps: the same text stops at the same place on every machine. */
  readonly steps: number;
}

let shared: Promise<Parser> | undefined;

async function sharedParser(): Promise<Parser> {
  shared ??= import('web-tree-sitter').then((runtime) => new runtime.Parser());
  return shared;
}

/** Undefined when the budget ran out. */
export async function withTree<Result>(
  source: { readonly text: string; readonly grammar: Language; readonly budget: ParseBudget },
  use: (root: Node) => Result,
): Promise<Result | undefined> {
  const parser = await sharedParser();
  parser.setLanguage(source.grammar);
  const deadline = performance.now() + source.budget.milliseconds;
  let steps = 0;
  const progressCallback = (): boolean => {
    steps += 1;
    return steps > source.budget.steps || performance.now() > deadline;
  };
  const tree = parser.parse(source.text, null, { progressCallback });
  if (tree === null) {
    parser.reset();
    return undefined;
  }
  try {
    return use(tree.rootNode);
  } finally {
    tree.delete();
  }
}
