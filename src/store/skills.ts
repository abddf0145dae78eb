// Skill files as they were put, with their rules in canonical JSON. A skill without a project serves all of them.

export interface StoredSkill {
  readonly id: string;
  readonly name: string;
  readonly description: string;
  readonly source: string;
  /** Canonical JSON. */
  readonly contextRules: string;
  readonly projectId?: string;
  readonly updatedAt: number;
}

export interface StoredSkills {
  put(skill: Omit<StoredSkill, 'updatedAt'>): Promise<StoredSkill>;
  /** The project's own skill, else the global one; without a project only the global one. */
  get(id: string, project?: string): Promise<StoredSkill>;
  find(id: string, project?: string): Promise<StoredSkill | undefined>;
  /** By id; a project's own skill stands in for the global one of that id. */
  list(project?: string): Promise<readonly StoredSkill[]>;
  /** Exactly the project's own, or without a project the global one. */
  delete(id: string, project?: string): Promise<void>;
}
