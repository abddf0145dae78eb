// What any language model looks like to the rest of Galley: one request, one answer, text on the way. A run ends with a whole
// answer or a refusal, never with half an answer that looks whole.

export interface Timeouts {
  /** Until the model begins to answer; signs of life of the transport do not count. */
  readonly firstByteMs: number;
  /** For the whole run. */
  readonly totalMs: number;
}

export interface ModelRequest {
  readonly system?: string | undefined;
  readonly prompt: string;
  readonly timeouts: Timeouts;
}

export interface Usage {
  /** Everything that was read, cached or not. */
  readonly inputTokens: number;
  readonly outputTokens: number;
  readonly cachedInputTokens?: number;
}

/** `length`: cut at the output limit; `unknown`: the model does not say. */
export type Finish = 'stop' | 'length' | 'unknown';

export interface ModelAnswer {
  readonly text: string;
  readonly finish: Finish;
  readonly usage?: Usage;
  /** The name the model gives itself. */
  readonly model?: string;
}

export interface RunOptions {
  readonly signal: AbortSignal;
  /** Text as it arrives. What an agent says between its steps comes here too; the answer is what `run` returns. */
  onText?(text: string): void;
}

export interface Model {
  readonly id: string;
  readonly family: 'cli' | 'http' | 'replay';
  run(request: ModelRequest, options: RunOptions): Promise<ModelAnswer>;
}
