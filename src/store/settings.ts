// Named texts of a project: style guide, outline, preferences.

export interface Setting {
  readonly key: string;
  readonly text: string;
  readonly updatedAt: number;
}

export interface Settings {
  get(project: string, key: string): Promise<string | undefined>;
  put(project: string, key: string, text: string): Promise<Setting>;
  /** By key. */
  list(project: string): Promise<readonly Setting[]>;
  delete(project: string, key: string): Promise<void>;
}
