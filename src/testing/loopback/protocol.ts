// What a protocol has to say about itself; serving, failing and caching are the same for all.
import type { JsonObject } from './json-object.js';
import type { ProtocolName } from './loopback-call.js';
import type { CachePolicy, PromptBlock } from './prefix-cache.js';
import type { Finish, ReportedUsage, ToolCall } from './reply.js';

/** What a request asks for, apart from its text. */
export interface Asked {
  readonly model: string;
  readonly stream: boolean;
  readonly schema: JsonObject | undefined;
  /** The tool that carries the structured answer, where the request forces one. */
  readonly forcedTool: string | undefined;
  /** Why the provider would not even begin. */
  readonly complaint?: string;
}

/** A reply with nothing left open. */
export interface Spoken {
  readonly number: number;
  readonly model: string;
  readonly reasoning: string;
  readonly chunks: readonly string[];
  readonly toolCalls: readonly ToolCall[];
  readonly finish: Finish;
  readonly usage: ReportedUsage;
}

/** One event of a stream; `data` that is text goes out as it is. */
export interface Frame {
  readonly event?: string;
  readonly data: JsonObject | string;
}

export interface Frames {
  readonly opening: readonly Frame[];
  /** One for each chunk of text. */
  readonly deltas: readonly Frame[];
  readonly closing: readonly Frame[];
}

export interface Request {
  readonly path: string;
  readonly body: JsonObject;
}

export interface Protocol {
  readonly name: ProtocolName;
  matches(path: string): boolean;
  /** Paths that count tokens instead of answering. */
  counts(path: string): boolean;
  countBody(tokens: number): JsonObject;
  cache(request: Request): CachePolicy;
  ask(request: Request): Asked;
  /** The prompt in the order the provider reads it. */
  prompt(body: JsonObject): readonly PromptBlock[];
  body(spoken: Spoken, request: Request): JsonObject;
  frames(spoken: Spoken, request: Request): Frames;
  error(status: number, message: string, retryAfterSeconds?: number): JsonObject;
  /** A failure told inside a stream that began well. */
  errorFrame(spoken: Spoken, message: string): Frame;
  /** Sign of life without content. */
  readonly keepAlive: string | Uint8Array;
  /** How a frame stands on the wire; an event of a text stream when left out. */
  readonly framing?: Framing;
}

export interface Framing {
  readonly contentType: string;
  write(frame: Frame): string | Uint8Array;
}

export const textEvents: Framing = { contentType: 'text/event-stream', write: writtenFrame };

function writtenFrame({ event, data }: Frame): string {
  const name = event === undefined ? '' : `event: ${event}\n`;
  return `${name}data: ${typeof data === 'string' ? data : JSON.stringify(data)}\n\n`;
}

export function writtenInput({ input, raw }: ToolCall): string {
  return raw ?? JSON.stringify(input);
}
