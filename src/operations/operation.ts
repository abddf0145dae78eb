// An operation is declared once: what it takes, what it gives, what it needs, how it may refuse. Every door reads this.
import type { z } from 'zod';
import type { SessionHomes } from '../agents/sessions/session-homes.js';
import type { ErrorCode } from '../core/model/error.js';
import type { Receipt } from '../core/model/receipt.js';
import type { FoundForge } from '../forges/find-forge.js';
import type { Catalog } from '../models/catalog/catalog.js';
import type { AgentEvent } from '../models/contract/agent-event.js';
import type { Model, RunRecord } from '../models/contract/model.js';
import type { TicketSource } from '../review/change/open-review.js';
import type { ReviewLooks } from '../review/look/review-looks.js';
import type { ReplayedPull } from '../review/replay/replay-result.js';
import type { KeptReceipts } from '../review/run/kept-receipts.js';
import type { Estimate } from '../review/run/prepare-pages.js';
import type { Store } from '../store/store.js';
import type { EmbeddingSource } from '../writing/retrieval/embedding-source.js';
import type { RunOutlook } from '../writing/skill-run/run-outlook.js';
import type { SpendingAccount } from './spending-model.js';

export type Grant = 'read' | 'write' | 'inspect' | 'run';

/** How far a long operation is; `total` is absent while it is not known. */
export interface OperationProgress {
  readonly stage: string;
  readonly done: number;
  readonly total?: number;
}

/** Calls that are about to be made, and what they cost where that is known. */
export interface SpendingEstimate {
  readonly calls: number;
  /** Calls that may follow from these. */
  readonly wholes: number;
  readonly inputTokens: number;
  readonly dollars?: number;
}

/** What an operation may reach for; doors wire it. */
export interface OperationContext {
  readonly signal: AbortSignal;
  /** The folder one works in. Absolute, so it never enters an answer. */
  readonly folder: string;
  readonly debug: boolean;
  readonly grants: ReadonlySet<Grant>;
  readonly log: Log;
  /** A digest of who asks, where there is more than one who may. */
  readonly caller?: string | undefined;
  /** The account of who asks, for calls that are made later. */
  readonly budget?: Pick<SpendingAccount, 'owner' | 'limits'> | undefined;
  /** W3C trace context of this call, for what goes on after it. */
  trace?(): string | undefined;
  /** At the seams of long work: others that share this process may come first. */
  readonly giveWay?: (() => Promise<void>) | undefined;
  now(): number;
  /** Opened when first asked for, and shared. */
  store(): Promise<Store>;
  /** The model of that name, or the one that is configured; refuses with MODEL_NOT_CONFIGURED when there is none. */
  model(name?: string): Promise<Model>;
  /** What models cost here; what is built in when left out. */
  prices?(): Promise<Catalog>;
  /** The host of pull requests that an address, this CI run or a clone names, and the one that is meant. */
  forge?(asked: string | undefined, folder: string): Promise<FoundForge>;
  /** Who knows the words of tickets; only where the user's own shell is the door. */
  readonly tickets?: (() => Promise<TicketSource | undefined>) | undefined;
  /** Where agent CLIs keep their sessions; only where the user's own shell is the door, or the owner of the server allows it. */
  readonly sessions?: SessionHomes | undefined;
  /** Whether a request may name a command of the shell; only where the user's own shell is the door. */
  readonly mayRunCommands?: boolean | undefined;
  /** A folder for the answers that reviews keep; the git directory of each repository when left out. */
  readonly answers?: string | undefined;
  /** Changes held open between two looks at them; only where the process goes on after a call. */
  readonly looks?: ReviewLooks | undefined;
  /** The project whose history tells of runs that name none; only where somebody looks at it. */
  history?(): Promise<string>;
  /** What reviews sent from here that no store keeps; only where the user's own shell is the door. */
  sentHere?(): Promise<KeptReceipts | undefined>;
  /** The user's embedding server, the same one every time since it remembers what it was asked; without one search goes by words. */
  embeddings?(): Promise<EmbeddingSource | undefined>;
  /** Text as a model says it, for doors that show it. */
  onText?(text: string): void;
  /** What an agent does on its way, its text included. */
  onEvent?(event: AgentEvent): void;
  onProgress?(progress: OperationProgress): void;
  /** What a review is about to send, before anything is sent. */
  onEstimate?(estimate: Estimate): void;
  /** What a long run over a book will cost, before the first call. */
  onSpending?(estimate: SpendingEstimate): void;
  /** What a skill run is about to send, before anything is sent. */
  onOutlook?(outlook: RunOutlook): void;
  /** Each pull request of a replay as soon as it is done. */
  onReplayed?(pull: ReplayedPull): void;
}

export interface Operation<Input extends z.ZodType = z.ZodType, Output = unknown> {
  readonly id: string;
  readonly summary: string;
  readonly input: Input;
  /** A request to begin with, shown by every door that documents itself. */
  readonly example: z.input<Input>;
  /** Its answer may be huge: `part` and `partBytes` of a request ask for a part of it. */
  readonly inParts?: boolean;
  /** Says text or progress on its way, for doors that show it. */
  readonly streams?: boolean;
  /** Spends its time waiting for others, and takes no turn of theirs. */
  readonly waits?: boolean;
  /** The operation it has run on its behalf; doors hold that one to the limits of the caller. */
  carries?(input: z.output<Input>): CarriedCall;
  /** Published, and held against every answer in the tests; nothing is checked by it when it runs. */
  readonly output: z.ZodType<Output>;
  /** What a caller must have been granted; on one's own machine that is everything. */
  readonly grant: Grant;
  /** Codes it may refuse with, beside INVALID_ARGUMENT, PAYLOAD_TOO_LARGE, CANCELLED and INTERNAL. */
  readonly errors: readonly ErrorCode[];
  /**
   * What the history of a project tells of a call, with its answer or without one where it failed; for operations that ask models and
   * keep no run of their own.
   */
  remembers?(told: {
    readonly input: z.output<Input>;
    readonly answer: NoInfer<Output> | undefined;
    /** The project at hand, for requests that name none. */
    readonly history: string | undefined;
  }): RememberedRun | undefined;
  run(input: z.output<Input>, context: OperationContext): Promise<NoInfer<Output>>;
}

/** What an operation tells of its call, for those who look later. */
export interface RememberedRun {
  readonly projectId: string;
  readonly model?: string | undefined;
  readonly documentId?: string | undefined;
  readonly runs: readonly RunRecord[];
  /** Of all that was sent, where no other place keeps it. */
  readonly receipt?: Receipt | undefined;
  readonly coverage?: string | undefined;
  readonly failures?: readonly string[] | undefined;
}

/** What an operation has run later, on behalf of its caller. */
export interface CarriedCall {
  readonly operation: string;
  readonly request: Readonly<Record<string, unknown>>;
}

export function defineOperation<Input extends z.ZodType, Output>(
  operation: Operation<Input, Output>,
): Operation<Input, Output> {
  return operation;
}

/** What is written down while working: events, digests and counts, never text. */
export interface LogLine {
  readonly level: 'info' | 'warning' | 'security';
  readonly event: string;
  readonly details?: Readonly<Record<string, string | number | boolean>>;
}

export type Log = (line: LogLine) => void;

/** How any operation that uses the store may refuse because of it. */
export const storeErrors = [
  'STORE_UNAVAILABLE',
  'STORE_BUSY',
  'STORE_TOO_NEW',
  'STORE_CORRUPT',
] as const satisfies readonly ErrorCode[];

/** How a model may fail whoever asks it. */
export const modelErrors = [
  'TIMEOUT',
  'MODEL_NOT_CONFIGURED',
  'MODEL_UNAVAILABLE',
  'MODEL_REFUSED',
  'MODEL_ANSWER_INVALID',
] as const satisfies readonly ErrorCode[];

/** What reading a change may refuse with. */
export const reviewErrors: readonly ErrorCode[] = [
  'NOT_A_REPOSITORY',
  'REVISION_NOT_FOUND',
  'NO_MERGE_BASE',
  'GIT_FAILED',
  'FILE_UNREADABLE',
  'CONFIG_INVALID',
];
