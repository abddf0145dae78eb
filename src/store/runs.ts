// What was run. Metadata holds no text; the compact summaries of runs are project data and stand apart.

export type RunStatus = 'running' | 'succeeded' | 'failed' | 'cancelled' | 'timeout';

export interface Run {
  readonly id: string;
  readonly operation: string;
  readonly status: RunStatus;
  readonly startedAt: number;
  readonly endedAt?: number;
  readonly skillId?: string;
  readonly documentId?: string;
  readonly model?: string;
  /** JSON: hashes, refs, tokens, timings; never text. */
  readonly metadata: Readonly<Record<string, unknown>>;
}

export type RunDraft = Omit<Run, 'id' | 'startedAt' | 'metadata'> &
  Partial<Pick<Run, 'id' | 'startedAt' | 'metadata'>>;

export interface Runs {
  /** Inserts, or replaces the run of that id (its start stays). */
  put(project: string, draft: RunDraft): Promise<Run>;
  get(project: string, id: string): Promise<Run>;
  /** Newest first, 50 unless told. */
  list(project: string, options?: { limit?: number; documentId?: string }): Promise<readonly Run[]>;
}

export interface Summary {
  readonly id: string;
  readonly text: string;
  readonly createdAt: number;
  readonly runId?: string;
  readonly skillId?: string;
  readonly documentId?: string;
}

export interface Summaries {
  add(project: string, draft: Omit<Summary, 'id' | 'createdAt'> & { id?: string }): Promise<Summary>;
  /** Newest first. */
  recent(project: string, limit: number, documentId?: string): Promise<readonly Summary[]>;
  delete(project: string, id: string): Promise<void>;
}
