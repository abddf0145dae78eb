// What the previous request of a lane looked like, so that the next one can keep its prefix.

export interface Lanes {
  /** JSON, or undefined before the first request. */
  get(project: string, lane: string): Promise<unknown>;
  /** Reads and writes as one step; `change` is synchronous, pure, and may be called again after a collision. */
  update<T>(project: string, lane: string, change: (previous: unknown) => T): Promise<T>;
  delete(project: string, lane: string): Promise<void>;
}
