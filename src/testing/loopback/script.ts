// What the loopback says to each call. A list is said line by line and its last line again and again; a function sees the call.
import type { Failure } from './failure.js';
import type { LoopbackCall } from './loopback-call.js';

export interface ToolCall {
  readonly name: string;
  readonly input: unknown;
}

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
  readonly toolCalls?: readonly ToolCall[];
  readonly finish?: 'stop' | 'length' | 'refusal';
  /** Replaces what the cache model would report. */
  readonly usage?: Partial<ReportedUsage>;
  /** Between two chunks of a stream. */
  readonly pauseMs?: number;
}

export type Line = string | Reply | Failure;
export type Script = Line | readonly Line[] | ((call: LoopbackCall) => Line | Promise<Line>);
/** By the number of the call (the first is 1), or decided by the call itself. */
export type Failures =
  | Readonly<Record<number, Failure>>
  | ((call: LoopbackCall) => Failure | undefined | Promise<Failure | undefined>);

export interface Turn {
  readonly reply: Reply | undefined;
  readonly failure: Failure | undefined;
}

/** Failures after which the caller has its whole answer all the same. */
const harmless: ReadonlySet<string> = new Set(['slow', 'duplicate-final']);

/** A line of the list that a failure kept from the caller is still to be said. */
export function followScript(script: Script | undefined, failures: Failures | undefined) {
  let said = 0;
  return async (call: LoopbackCall): Promise<Turn> => {
    const failure = typeof failures === 'function' ? await failures(call) : failures?.[call.number];
    const index = said;
    if (failure === undefined || harmless.has(failure.kind)) said += 1;
    const line = await lineOf(script, call, index);
    if (line === undefined) return { reply: undefined, failure };
    if (typeof line === 'string') return { reply: { text: line }, failure };
    if (line.kind === undefined) return { reply: line, failure };
    return { reply: line.reply, failure: failure ?? line };
  };
}

async function lineOf(
  script: Script | undefined,
  call: LoopbackCall,
  index: number,
): Promise<Line | undefined> {
  if (typeof script === 'function') return await script(call);
  if (!isList(script)) return script;
  return script[Math.min(index, script.length - 1)];
}

function isList(script: Line | readonly Line[] | undefined): script is readonly Line[] {
  return Array.isArray(script);
}
