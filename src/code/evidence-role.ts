// What a piece of code is for, as far as its node type and the name it calls can tell.

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
