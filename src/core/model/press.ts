// What an assembly is asked with and what it gives back. The press has no clock, no randomness and no cryptography of its own.
import type { Budget } from './budget.js';
import type { Warning } from './error.js';
import type { Need, Scope, Source } from './fragment.js';
import type { Meter } from './meter.js';
import type { Prompt } from './prompt.js';
import type { Receipt, Rejection } from './receipt.js';
import type { Dialect, Recipe } from './recipe.js';

/** How text is set, whatever the text. */
export interface PressSetup<Body = unknown> {
  readonly recipe: Recipe;
  readonly dialect: Dialect<Body>;
  readonly meter: Meter;
  readonly hash: Hash;
}

export interface AssembleOptions {
  readonly scope: Scope;
  readonly budget: Budget;
  /** `full` (the default) also prices what was left out; `kept` saves that counting. */
  readonly ledger?: 'full' | 'kept';
  /** What the caller already knows to be wrong. */
  readonly warnings?: readonly Warning[];
  /** What the caller turned away itself, with its reasons. */
  readonly rejections?: readonly Rejection[];
}

/** What is known only once the text is set, sealed with it. */
export interface SealNotes {
  readonly warnings?: readonly Warning[];
  readonly rejections?: readonly Rejection[];
  /** Facts of the desk, as JSON; they stand in the receipt under their own names. */
  readonly facts?: Readonly<Record<string, unknown>>;
  /** Id of the receipt of the call before, in a conversation. */
  readonly previous?: string;
}

export interface GatherOptions {
  readonly needs: readonly Need[];
  readonly sources: readonly Source[];
  readonly deadline: Deadline;
  readonly signal: AbortSignal;
}

export interface Assembly {
  readonly prompt: Prompt;
  readonly receipt: Receipt;
}

/**
 * One call as it was set and sealed: the texts a model gets, and the receipt that weighs, spans and hashes those very texts.
 */
export interface SealedPrompt {
  /** Empty where there is none. */
  readonly system: string;
  readonly prompt: string;
  /** JSON Schema of the answer, for models that can be held to one. */
  readonly answer?: string;
  /** Of a conversation that somebody else holds: the name of each of its speakers, where it has one. */
  readonly names?: readonly (string | undefined)[];
  readonly receipt: Receipt;
}

/** SHA-256 of the UTF-8 bytes, in lowercase hexadecimal. */
export type Hash = (text: string) => string;

/** Runs work under a time limit; rejects with TIMEOUT or CANCELLED, and aborts the signal it hands out. */
export type Deadline = <T>(
  limitMs: number,
  signal: AbortSignal,
  work: (signal: AbortSignal) => Promise<T>,
) => Promise<T>;
