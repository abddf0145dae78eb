// What a model says, whatever the protocol calls it.

export interface ToolCall {
  readonly name: string;
  /** Where the protocol puts tools of one server together. */
  readonly namespace?: string;
  readonly input: unknown;
  /** A tool that takes plain text in place of JSON, where the protocol has such tools; `input` is that text. */
  readonly freeform?: boolean;
  /** What a stream says instead of the JSON of the input. */
  readonly raw?: string;
}

/** `refusal`: by the model, in words. `blocked`: by a filter of the provider. */
export type Finish = 'stop' | 'length' | 'refusal' | 'blocked';

/** In the provider's own words, whatever the protocol calls them. */
export interface ReportedUsage {
  /** Everything that was read, cached or not. */
  readonly input: number;
  readonly output: number;
  readonly cacheRead: number;
  readonly cacheWrite: number;
  /** The part of it that lives for an hour. */
  readonly cacheWriteHour?: number;
}

export interface Reply {
  readonly kind?: undefined;
  readonly text?: string;
  /** The same as text, but cut where the stream is to be cut. */
  readonly chunks?: readonly string[];
  /** A structured answer, given the way the request asks for it: as text, or as input of the tool it forces. */
  readonly json?: unknown;
  /** What the model thinks aloud before it answers. */
  readonly reasoning?: string;
  readonly toolCalls?: readonly ToolCall[];
  readonly finish?: Finish;
  /** Replaces what the cache model would report. */
  readonly usage?: Partial<ReportedUsage>;
  /** Between two chunks of a stream. */
  readonly pauseMs?: number;
}
