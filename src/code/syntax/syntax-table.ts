// What a language's syntax tree calls things. One walker reads these tables; a new language is a new table.
import type { Node } from 'web-tree-sitter';
import type { CodeSymbol, RoleRules, SymbolKind } from './outline-model.js';

/** A node together with the text it was parsed from. */
export interface NodeView {
  readonly node: Node;
  readonly text: string;
  /** Text of a node, or of one of its fields. */
  read(node: Node | null): string;
}

export interface UnitRule {
  readonly kind: SymbolKind | ((view: NodeView) => SymbolKind | undefined);
  /** The field that names the unit (default 'name'), or a reader; no name, no unit. */
  readonly name?: string | ((view: NodeView) => string | undefined);
  /** The field where the signature ends (default 'body'). */
  readonly body?: string | ((view: NodeView) => Node | null);
  /** Not a unit inside a function; variables never are. */
  readonly outer?: boolean;
  /** A unit only directly inside symbols of these kinds. */
  readonly inside?: readonly SymbolKind[];
}

export interface SymbolDraft {
  readonly name: string;
  readonly kind: SymbolKind;
  readonly signature: string;
  readonly wrappers: readonly string[];
  readonly parent: CodeSymbol | undefined;
  /** What stands between the parent's start and the unit: section words such as `private:`. */
  before(): string;
}

export interface ImportEntry {
  readonly module: string;
  readonly names: readonly string[];
}

export interface SyntaxTable {
  readonly units: Readonly<Record<string, UnitRule>>;
  /** Nodes that lend their extent to the unit in the given field ('*': their only child, '+': their last). */
  readonly wrappers: Readonly<Record<string, string>>;
  /** Decorators and attributes that stand before a unit as siblings. */
  readonly leading: readonly string[];
  /** Function-like nodes without a name: variables inside are local. */
  readonly scopes: readonly string[];
  readonly comments: readonly string[];
  readonly strings: readonly string[];
  /** Whether a string that opens a body documents it. */
  readonly docstrings?: boolean;
  readonly imports: Readonly<Record<string, (view: NodeView) => readonly ImportEntry[]>>;
  /** Units that are calls, such as test blocks; asked only when the text holds one of the words. */
  readonly callUnits?: { readonly type: string; readonly words: RegExp; readonly rule: UnitRule };
  /** Not asked about units inside functions, which never are. */
  exported(draft: SymbolDraft, explicit: ReadonlySet<string>): boolean;
  /** Names a file exports apart from their declarations. */
  readonly exportLists?: Readonly<Record<string, (view: NodeView) => readonly string[]>>;
  readonly identifiers: { readonly plain: readonly string[]; readonly types: readonly string[] };
  /** Call-like nodes and the field that holds what is called. */
  readonly calls: Readonly<Record<string, string>>;
  /** Nodes that bind a name, with the field that holds it. */
  readonly definitions: Readonly<Record<string, string>>;
  readonly roles: RoleRules;
  /** Price of a parser step in milliseconds, when the grammar is slower than most. */
  readonly stepMs?: number;
}

/** Reads nodes against the text they were parsed from, without asking the tree for it. */
export function viewOf(node: Node, text: string): NodeView {
  return {
    node,
    text,
    read: (target) => (target === null ? '' : text.slice(target.startIndex, target.endIndex)),
  };
}

/** The field's text, or undefined when the node has no such field. */
export function fieldText(view: NodeView, field: string): string | undefined {
  const child = view.node.childForFieldName(field);
  return child === null ? undefined : view.read(child);
}

/** Without its quotes. */
export function unquote(text: string): string {
  return text.replace(/^[rbufRBUF]*(['"`]{1,3})([\s\S]*)\1$/, '$2');
}
