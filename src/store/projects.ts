// Who owns the rows. A project comes into being with its first write; reading an unknown one finds nothing.

export interface Project {
  readonly id: string;
  /** Relative to where the store is; never absolute. */
  readonly folder?: string;
  /** JSON. */
  readonly settings: Readonly<Record<string, unknown>>;
}

export interface Projects {
  /** An unknown project answers with empty settings. */
  get(project: string): Promise<Project>;
  /** Fields that are left out keep their value. */
  put(
    project: string,
    fields: { folder?: string; settings?: Readonly<Record<string, unknown>> },
  ): Promise<Project>;
  /** By id. */
  list(): Promise<readonly Project[]>;
}
