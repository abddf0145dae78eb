// All nodes an outline needs, from one walk over the tree: walking costs more than sorting what was found.
import type { Node } from 'web-tree-sitter';
import type { SyntaxTable } from './syntax/syntax-table.js';

/** A node with its type, which costs a call into the parser each time it is asked. */
export interface Leaf {
  readonly node: Node;
  readonly type: string;
}

export interface Harvest {
  readonly comments: Leaf[];
  readonly units: Leaf[];
  readonly imports: Leaf[];
  readonly strings: Leaf[];
  readonly calls: Leaf[];
  readonly roles: Leaf[];
  readonly identifiers: Leaf[];
  readonly binders: Leaf[];
}

export interface HarvestRequest {
  readonly text: string;
  readonly uses: boolean;
  readonly roles: boolean;
}

export function harvest(root: Node, table: SyntaxTable, request: HarvestRequest): Harvest {
  const found: Harvest = {
    comments: [],
    units: [],
    imports: [],
    strings: [],
    calls: [],
    roles: [],
    identifiers: [],
    binders: [],
  };
  const baskets = new Map<string, Leaf[][]>();
  const want = (basket: Leaf[], types: readonly string[]): void => {
    for (const type of types) {
      const known = baskets.get(type);
      if (known === undefined) baskets.set(type, [basket]);
      else if (!known.includes(basket)) known.push(basket);
    }
  };
  want(found.comments, table.comments);
  want(found.units, unitTypes(table, request.text));
  want(found.imports, Object.keys(table.imports));
  if (request.roles || request.uses) want(found.calls, Object.keys(table.calls));
  if (request.roles) {
    const { whole = {}, head = {}, matching = [] } = table.roles;
    want(found.strings, table.strings);
    want(found.roles, [
      ...Object.keys(whole),
      ...Object.keys(head),
      ...matching.map(({ type }) => type),
      ...table.leading,
    ]);
  }
  if (request.uses) {
    want(found.identifiers, [...table.identifiers.plain, ...table.identifiers.types]);
    want(found.binders, Object.keys(table.definitions));
  }
  for (const node of root.descendantsOfType([...baskets.keys()])) {
    const { type } = node;
    const leaf: Leaf = { node, type };
    for (const basket of baskets.get(type) ?? []) basket.push(leaf);
  }
  return found;
}

function unitTypes(table: SyntaxTable, text: string): string[] {
  const { units, wrappers, leading, scopes, callUnits, exportLists = {} } = table;
  const types = [
    ...Object.keys(units),
    ...Object.keys(wrappers),
    ...leading,
    ...scopes,
    ...Object.keys(exportLists),
  ];
  if (callUnits?.words.test(text)) types.push(callUnits.type);
  return types;
}

/** Offsets [start, end) of each, in order. */
export function spansOf(leaves: readonly Leaf[]): number[] {
  const spans: number[] = [];
  for (const { node } of leaves) spans.push(node.startIndex, node.endIndex);
  return spans;
}
