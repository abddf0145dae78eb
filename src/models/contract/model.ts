// What any language model looks like to the rest of Galley: one request, one answer, text on the way. A run ends with a whole
// answer or a refusal, never with half an answer that looks whole.
import type { ErrorCode } from '../../core/model/error.js';
import type { AgentEvent } from './agent-event.js';
import type { Finish, Usage } from './usage.js';

export type { Finish, Usage } from './usage.js';

export interface Timeouts {
  /** Until the model begins to answer; signs of life of the transport do not count. */
  readonly firstByteMs: number;
  /** For the whole run. */
  readonly totalMs: number;
}

/** Where a provider may keep what stands before: ascending offsets in UTF-8 bytes, on code-point borders. */
export interface CachePoints {
  readonly system?: readonly number[];
  readonly prompt?: readonly number[];
}

/** What the answer should look like, for models that can be held to it; others get only the words of the prompt. */
export interface AnswerShape {
  readonly name: string;
  /** JSON Schema. */
  readonly schema: Readonly<Record<string, unknown>>;
}

/** Whose words begin where in the prompt of a conversation that somebody else holds. */
export interface RequestSpeaker {
  readonly role: 'system' | 'user' | 'assistant';
  /** In UTF-8 bytes, on a code-point border; never less than the one before. */
  readonly offset: number;
  /** The message before goes on, in a part of its own. */
  readonly more?: true;
  readonly name?: string | undefined;
}

/** How an answer is drawn; what a model cannot do of it is named in its answer. */
export interface Sampling {
  readonly temperature?: number;
  readonly topP?: number;
  readonly topK?: number;
  readonly presencePenalty?: number;
  readonly frequencyPenalty?: number;
  readonly seed?: number;
  readonly stop?: readonly string[];
  /** Who asks, in the words of the caller. */
  readonly user?: string;
}

export interface ModelRequest {
  readonly system?: string | undefined;
  /** All of a conversation, one message behind the other. */
  readonly prompt: string;
  /** Where the other side begins to speak, the model first: ascending offsets in UTF-8 bytes, on code-point borders. */
  readonly turns?: readonly number[];
  /** Messages of any speaker in any order, in place of `system` and `turns`. */
  readonly speakers?: readonly RequestSpeaker[];
  readonly sampling?: Sampling;
  readonly timeouts: Timeouts;
  readonly cachePoints?: CachePoints;
  readonly shape?: AnswerShape;
  readonly maxOutputTokens?: number;
}

/** Characters of an answer; whatever says more is ended. */
export const maxAnswer = 10 * 1024 * 1024;

export interface ModelAnswer {
  readonly text: string;
  readonly finish: Finish;
  readonly usage?: Usage;
  /** The name the model gives itself. */
  readonly model?: string;
  /** Calls it took; 1 when left out. */
  readonly attempts?: number;
  /** Names of the settings it was asked for and could not follow. */
  readonly notApplied?: readonly string[];
}

export interface RunOptions {
  readonly signal: AbortSignal;
  /** Text as it arrives. What an agent says between its steps comes here too; the answer is what `run` returns. */
  onText?(text: string): void;
  /** What an agent does on its way, its text included; other models say nothing here. */
  onEvent?(event: AgentEvent): void;
  /** A call failed and is made again; the text so far is void. */
  onRetry?(retry: Retry): void;
}

export interface Retry {
  /** Of the call that failed; the first is 1. */
  readonly attempt: number;
  readonly afterMs: number;
  readonly code: ErrorCode;
}

export interface SpeakerRules {
  /** Where the system may speak. */
  readonly system: 'anywhere' | 'first' | 'never';
  readonly names: boolean;
  /** Whether blanks around a last message of the model itself would be lost. */
  readonly trimsLast: boolean;
}

export interface Model {
  /** As a user names it: `anthropic/claude-sonnet-4-5`, `cli/claude`, `replay/answers.json`. */
  readonly id: string;
  readonly family: 'cli' | 'http' | 'replay';
  /** JSON Schema of the answer as it will stand on the wire, as canonical JSON; undefined where none is sent. */
  answerForm?(shape: AnswerShape): Promise<string | undefined>;
  /** Whether this system text would be changed, or is not taken, in a place of its own. */
  systemInPrompt?(system: string): boolean;
  /** Whether a conversation is passed on as messages; others take one text. */
  readonly takesTurns?: boolean;
  /** What it takes of a conversation that somebody else holds; others take none. */
  readonly speakers?: SpeakerRules;
  /** Whether a prompt with this beginning would be taken for a command and never reach the model. */
  readsAsCommand?(prompt: string): boolean;
  run(request: ModelRequest, options: RunOptions): Promise<ModelAnswer>;
}

/** Every reason to call a model; each is held to the law of the wire by a test that must reach it. */
export const callKinds = [
  'review-page',
  'review-page-again',
  'review-page-follow-up',
  'review-page-verify',
  'review-plan',
  'review-ask',
  'skill',
  'skill-again',
  'judge',
  'summary',
  'agent-turn',
  'chat',
] as const;

export type CallKind = (typeof callKinds)[number];

/** What a model reported of a text it was sent, beside what was foreseen. It points at the receipt of that text. */
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
  /** Of an agent: how often each tool was refused and not let through later. */
  readonly refused?: readonly { readonly tool: string; readonly times: number }[];
}
