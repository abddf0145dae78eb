// What a call of a model used, and why it stopped.

export interface Usage {
  /** Everything that was read, cached or not. */
  readonly inputTokens: number;
  readonly outputTokens: number;
  readonly cachedInputTokens?: number;
  /** Read for the first time and kept by the provider, where it says so. */
  readonly cacheWriteTokens?: number;
}

/** `length`: cut at the output limit; `unknown`: the model does not say. */
export type Finish = 'stop' | 'length' | 'unknown';
