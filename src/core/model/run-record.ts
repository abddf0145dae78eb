// What a model reported of a text it was sent, beside what was foreseen. It points at the receipt of that text.

/** Every reason to call a model; each is held to the law of the wire by a test that must reach it. */
export const callKinds = [
  'review-page',
  'review-page-again',
  'review-plan',
  'skill',
  'skill-again',
  'judge',
  'agent-turn',
] as const;

export type CallKind = (typeof callKinds)[number];

export interface RunRecord {
  readonly kind: CallKind;
  /** Id of the receipt of what was sent. */
  readonly receipt: string;
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
