// What makes one agent CLI: its command line, its environment, its events and its limits. The runner knows none of them by name.

import { type JsonObject, pickCount } from '../answer/json-fields.js';
import type { AgentEvent, Permission } from '../contract/agent-event.js';
import type { Finish, Usage } from '../contract/model.js';
import type { ChildEnvironment } from './child-environment.js';
import type { Naming } from './tool-target.js';

export type AgentCliName = 'claude' | 'codex' | 'gemini';

export interface CliRequest {
  readonly prompt: string;
  readonly system: string | undefined;
  /** What an agent may do; absent for Galley's own runs: system text by file in place of the CLI's own, no tools where they can be switched off. */
  readonly turn: AgentTurn | undefined;
  readonly model: string | undefined;
  /** The variables the process will get. */
  readonly environment: ChildEnvironment;
  /** Where a file with the system text would stand. */
  readonly systemFile: string;
  /** A folder of this run's own. */
  readonly emptyFolder: string;
  /** Where other files of this run would stand. */
  fileNamed(name: string): string;
}

/** One turn of an agent: where it works, what it may do there, and whether its session goes on. */
export interface AgentTurn {
  readonly may: Permission;
  readonly folder: string;
  /** Id of the session to go on with. */
  readonly resume?: string | undefined;
  /** Whether the CLI keeps the session for later turns. */
  readonly keepSession: boolean;
}

export interface Invocation {
  readonly args: readonly string[];
  /** Added to what the user's environment allows. */
  readonly environment: ChildEnvironment;
  readonly input: string;
  /** Written to `systemFile` before the start. */
  readonly systemText?: string;
  /** Other files, by their path, written before the start. */
  readonly files?: Readonly<Record<string, string>>;
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
  | 'no-session'
  | 'unavailable';

export interface CliFailure {
  readonly reason: CliFailureReason;
  readonly status?: number;
}

/** What the events amount to so far. */
export type Outcome =
  | { readonly kind: 'none' }
  | ({ readonly kind: 'failed' } & CliFailure)
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
  /** What it does, beside its text. */
  readonly events?: readonly AgentEvent[];
}

export interface EventReader {
  read(event: JsonObject): News;
  outcome(): Outcome;
}

export interface MentionRule {
  /** An @ with the word behind it, as this CLI cuts it; its last group that took part is the word. */
  readonly pattern: RegExp;
  /** Whether a word means something to it that is no file. */
  isKnown?(word: string): boolean;
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
  failureOfExit?(exit: number, complaint: string): CliFailure | undefined;
  /** Whether it would change this system text. */
  rewritesSystem?(system: string): boolean;
  /** A prompt that begins with it is taken for a command and never reaches the model; after an empty line it is text. */
  readonly commandMark?: string;
  /** Words of a prompt that it reads as something else; a CLI without this takes every word as it is. */
  readonly mentions?: MentionRule;
  /** What a caller must know before such a turn begins. */
  warnings(turn: AgentTurn, request: { prompt: string; model: string | undefined }): readonly TurnWarning[];
  prepare(request: CliRequest): Invocation;
  events(naming: Naming): EventReader;
  /** What it leaves on disk about a turn: read for what its events do not say, and removed where no session is to be kept. */
  settle?(session: string, left: LeftBehind): Promise<Settled>;
}

export interface LeftBehind {
  readonly environment: ChildEnvironment;
  readonly keepSession: boolean;
  readonly naming: Naming;
  /** The end of its stderr. */
  readonly complaint: string;
}

interface Settled {
  readonly events?: readonly AgentEvent[];
  /** Of this turn alone, where the events count the whole session. */
  readonly usage?: Usage | undefined;
  /** Where the events name none. */
  readonly model?: string | undefined;
}

/** What a CLI does not keep to, or what the caller may not expect. */
export interface TurnWarning {
  readonly about: string;
  readonly message: string;
}

/** The same for every CLI: whoever may only read will be refused the rest. */
export const onlyReads: TurnWarning = {
  about: 'only-reads',
  message:
    'The agent may only read: edits are refused; so are commands, unless its sandbox keeps them to reading.',
};

/** Its commands are not held to the folder. */
export const commandsAnywhere: TurnWarning = {
  about: 'commands-anywhere',
  message: 'Commands the agent runs are not confined to the folder: they can do what you can.',
};

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
