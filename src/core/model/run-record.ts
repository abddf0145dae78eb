// What a model reported of a text it was sent, beside what was foreseen.

export interface RunRecord {
  readonly model: string;
  /** One-based, where the prompt has several. */
  readonly page?: number;
  readonly foreseen: { readonly inputTokens: number; readonly cachedInputTokens: number };
  /** Absent when the model does not say. */
  readonly reported?: {
    readonly inputTokens: number;
    readonly outputTokens: number;
    readonly cachedInputTokens?: number;
    readonly cacheWriteTokens?: number;
  };
  /** Absent when the price of the model is not known. */
  readonly cost?: { readonly dollars: number; readonly prices: string };
  readonly attempts: number;
}
