// What an assembly is asked with and what it gives back.
import type { Budget } from './budget.js';
import type { Dialect } from './dialect.js';
import type { Meter } from './meter.js';
import type { Deadline, Hash } from './ports.js';
import type { Prompt } from './prompt.js';
import type { Receipt } from './receipt.js';
import type { Recipe } from './recipe.js';
import type { Scope } from './scope.js';
import type { Need, Source } from './source.js';
import type { Rejection } from './verdict.js';
import type { Warning } from './warning.js';

/** How text is set, whatever the text. */
export interface Press<Body = unknown> {
  readonly recipe: Recipe;
  readonly dialect: Dialect<Body>;
  readonly meter: Meter;
  readonly hash: Hash;
}

export interface Order {
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

export interface Wishes {
  readonly needs: readonly Need[];
  readonly sources: readonly Source[];
  readonly deadline: Deadline;
  readonly signal: AbortSignal;
}

export interface Assembly {
  readonly prompt: Prompt;
  readonly receipt: Receipt;
}
