// What makes one agent CLI: its command line, its environment, its events and its limits. The runner knows none of them by name.

import { type JsonObject, pickCount } from '../answer/json-fields.js';
import type { Finish, Usage } from '../contract/model.js';
import type { ChildEnvironment } from './child-environment.js';

export type AgentCliName = 'claude' | 'codex' | 'gemini';

export interface CliRequest {
  readonly prompt: string;
  readonly system: string | undefined;
  /** Galley's own run: system text by file in place of the CLI's own, no tools where they can be switched off. */
  readonly native: boolean;
  readonly model: string | undefined;
  /** The variables the process will get. */
  readonly environment: ChildEnvironment;
  /** Where a file with the system text would stand. */
  readonly systemFile: string;
}

export interface Invocation {
  readonly args: readonly string[];
  /** Added to what the user's environment allows. */
  readonly environment: ChildEnvironment;
  readonly input: string;
  /** Written to `systemFile` before the start. */
  readonly systemText?: string;
  /** Where it runs: in the caller's folder, or where there is nothing to find. */
  readonly place: 'folder' | 'empty';
}

export type CliFailureReason =
  | 'authentication'
  | 'rate-limit'
  | 'refused'
  | 'bad-request'
  | 'length'
  | 'not-sent'
  | 'unavailable';

/** What the events amount to so far. */
export type Outcome =
  | { readonly kind: 'none' }
  | { readonly kind: 'failed'; readonly reason: CliFailureReason; readonly status?: number }
  | {
      readonly kind: 'answered';
      readonly text: string;
      readonly finish: Finish;
      readonly usage?: Usage;
      readonly model?: string;
    };

interface News {
  /** The model itself has begun to answer. */
  readonly begun?: boolean;
  readonly text?: string;
}

export interface EventReader {
  read(event: JsonObject): News;
  outcome(): Outcome;
}

export interface AgentCli {
  readonly name: AgentCliName;
  readonly title: string;
  readonly install: string;
  /** What to do when it has no valid login or key. */
  readonly login: string;
  /** The oldest version this was measured with; only asked for when a run fails before its first event. */
  readonly oldest: string;
  readonly inputLimit: { readonly unit: 'bytes' | 'characters'; readonly n: number };
  /** How long to wait for the first word when the caller does not say. */
  readonly firstByteMs: number;
  /** Names of variables it needs; a name ending in `*` is a beginning. */
  readonly variables: readonly string[];
  /** It exits without waiting until its output is read. */
  readonly hasty?: boolean;
  /** What an exit code says about the failure, for a CLI that says it there. */
  failureOfExit?(exit: number): { readonly reason: CliFailureReason; readonly status?: number } | undefined;
  /** Whether it would change this system text. */
  rewritesSystem?(system: string): boolean;
  /** A prompt that begins with it is taken for a command and never reaches the model; after an empty line it is text. */
  readonly commandMark?: string;
  prepare(request: CliRequest): Invocation;
  events(): EventReader;
}

/** What the status of a provider's answer says about why there is none. */
export function reasonOfStatus(status: number): CliFailureReason {
  if (status === 401 || status === 403) return 'authentication';
  if (status === 429 || status === 529) return 'rate-limit';
  return status >= 400 && status < 500 && status !== 408 ? 'bad-request' : 'unavailable';
}

interface UsageNames {
  readonly under: string;
  readonly cached: string;
}

/** Token counts of an event, when it gives both of them; what was read from a cache is optional. */
export function readUsage(event: JsonObject, { under, cached }: UsageNames): { usage?: Usage } {
  const inputTokens = pickCount(event, under, 'input_tokens');
  const outputTokens = pickCount(event, under, 'output_tokens');
  const cachedInputTokens = pickCount(event, under, cached);
  if (inputTokens === undefined || outputTokens === undefined) return {};
  return {
    usage: { inputTokens, outputTokens, ...(cachedInputTokens === undefined ? {} : { cachedInputTokens }) },
  };
}
