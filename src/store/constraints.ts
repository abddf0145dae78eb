// Rules a text must not break, at most 500 a project.

export const constraintLimit = 500;

export type ConstraintKind = 'narrative' | 'character' | 'world' | 'style' | 'plot';
export type ConstraintOrigin = 'user' | 'knowledge' | 'memory' | 'project';

export interface Constraint {
  readonly id: string;
  readonly kind: ConstraintKind;
  readonly origin: ConstraintOrigin;
  /** An integer; higher stands first. */
  readonly priority: number;
  readonly pinned: boolean;
  readonly text: string;
  readonly version: number;
}

export interface ConstraintDraft {
  readonly id?: string;
  readonly kind: ConstraintKind;
  readonly text: string;
  /** 'user' unless told. */
  readonly origin?: ConstraintOrigin;
  /** 0 unless told. */
  readonly priority?: number;
  readonly pinned?: boolean;
}

export type ConstraintChange = Partial<Omit<Constraint, 'id' | 'version'>>;

export interface Constraints {
  /** Canonical: priority from high to low, then in order of creation. */
  list(project: string): Promise<readonly Constraint[]>;
  get(project: string, id: string): Promise<Constraint>;
  count(project: string): Promise<number>;
  /** One more than the limit is refused with CONTEXT_LIMIT_EXCEEDED; a taken id with ALREADY_EXISTS. */
  create(project: string, draft: ConstraintDraft): Promise<Constraint>;
  update(project: string, id: string, change: ConstraintChange): Promise<Constraint>;
  delete(project: string, id: string): Promise<void>;
}
