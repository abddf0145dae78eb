// People, places and things of a project, and what is known about them when.

export type Inclusion = 'always' | 'detected' | 'manual' | 'never';

export interface Fact {
  readonly text: string;
  /** First chapter in which it holds. */
  readonly from?: number;
  /** Last chapter in which it holds. */
  readonly until?: number;
}

export interface Secret {
  readonly text: string;
  /** Hidden in every chapter before this one. */
  readonly hiddenUntil: number;
}

export interface Relation {
  readonly to: string;
  readonly label: string;
}

export interface Entity {
  readonly id: string;
  readonly name: string;
  readonly aliases: readonly string[];
  readonly kind: string;
  readonly description: string;
  readonly inclusion: Inclusion;
  readonly neverTrimmed: boolean;
  readonly facts: readonly Fact[];
  readonly secrets: readonly Secret[];
  readonly relations: readonly Relation[];
  /** Fields whose stored form could not be read; they are empty here. */
  readonly damaged?: readonly string[];
  readonly version: number;
  readonly updatedAt: number;
}

export interface EntityDraft {
  /** Left out: the entity of that name, or a new one. */
  readonly id?: string;
  readonly name: string;
  readonly description: string;
  readonly aliases?: readonly string[];
  readonly kind?: string;
  /** 'always' unless told. */
  readonly inclusion?: Inclusion;
  readonly neverTrimmed?: boolean;
  readonly facts?: readonly Fact[];
  readonly secrets?: readonly Secret[];
  readonly relations?: readonly Relation[];
}

export interface Entities {
  /** Replaces the whole entity; a name that belongs to another id is ALREADY_EXISTS. */
  put(project: string, draft: EntityDraft): Promise<Entity>;
  get(project: string, id: string): Promise<Entity>;
  findByName(project: string, name: string): Promise<Entity | undefined>;
  /** By name. */
  list(project: string): Promise<readonly Entity[]>;
  delete(project: string, id: string): Promise<void>;
}
