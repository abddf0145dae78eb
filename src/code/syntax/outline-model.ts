// What an outline holds: symbols, imports, line kinds and, on request, identifier uses and evidence of what code is for.
import type { Warning } from '../../core/model/error.js';

export type SymbolKind =
  | 'function'
  | 'method'
  | 'class'
  | 'interface'
  | 'type'
  | 'enum'
  | 'module'
  | 'variable'
  | 'field'
  | 'test'
  | 'block';

/** Lines are 1-based and inclusive; decorators belong to the symbol, doc comments above it do not. */
export interface CodeSymbol {
  readonly name: string;
  readonly kind: SymbolKind;
  readonly startLine: number;
  readonly endLine: number;
  readonly signatureEndLine: number;
  readonly exported: boolean;
  /** Index into the outline's symbols; always smaller than the symbol's own. */
  readonly parent?: number;
  /** From the first word of the declaration to its body: one line, no comments, no decorators. */
  readonly signature: string;
  /** Digest of the body with whitespace collapsed and the symbol's own name masked. */
  readonly bodyDigest: string;
}

/** Names hold what is imported and, when it differs, what it is called here; '*' is everything, 'default' the default. */
export interface ImportLine {
  readonly startLine: number;
  readonly endLine: number;
  readonly module: string;
  readonly names: readonly string[];
}

export type UseRole = 'call' | 'reference' | 'definition' | 'import' | 'type';

export interface IdentifierUse {
  readonly name: string;
  readonly line: number;
  readonly role: UseRole;
}

/** Values of `lineKinds`; the kind of line n stands at index n - 1. */
export const lineKind = { blank: 0, comment: 1, code: 2, data: 3 } as const;

/** Pairs of offsets [start, end) into the text, in order. */
export type Spans = readonly number[];

export interface Outline {
  readonly language: string;
  /** False when the outline follows indentation instead of a syntax tree. */
  readonly parsed: boolean;
  /** The tree holds syntax errors: symbols around them may be missing. */
  readonly damaged: boolean;
  readonly lineCount: number;
  readonly symbols: readonly CodeSymbol[];
  readonly imports: readonly ImportLine[];
  readonly lineKinds: Uint8Array;
  readonly uses: readonly IdentifierUse[];
  readonly roles: readonly RoleSpan[];
  readonly comments: Spans;
  readonly strings: Spans;
  readonly warnings: readonly Warning[];
}

/** What a piece of code is for, as far as its node type and the name it calls can tell. */
export type EvidenceRole =
  | 'comment'
  | 'doc-comment'
  | 'import'
  | 'logging'
  | 'string'
  | 'error-handling'
  | 'concurrency'
  | 'data-access'
  | 'decorator'
  | 'routing';

export interface RoleSpan {
  readonly role: EvidenceRole;
  readonly startLine: number;
  readonly endLine: number;
  /** Nothing but this stands on its lines. */
  readonly alone: boolean;
}

/** How nodes and calls of a language speak for a role. */
export interface RoleRules {
  /** The whole node plays the role: a catch clause, a throw. */
  readonly whole?: Readonly<Record<string, EvidenceRole>>;
  /** Only the first line does: `try {`, `async function f(`. */
  readonly head?: Readonly<Record<string, EvidenceRole>>;
  /** The node does when its text, up to 200 characters, matches. */
  readonly matching?: readonly {
    readonly type: string;
    readonly pattern: RegExp;
    readonly role: EvidenceRole;
  }[];
  /** Additions to the shared patterns over what is called or annotated. */
  readonly calls?: readonly (readonly [RegExp, EvidenceRole])[];
}
