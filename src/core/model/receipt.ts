// What was done, without a word of the text: a verdict for every fragment, hashes, prices, versions. A receipt is sealed once: its
// id is the hash of its body wherever it is read. What happens later is a record beside it.

import type { Warning } from './error.js';
import type { FinishHits } from './fragment.js';
import type { Amount } from './meter.js';
import type { Breakpoint, Span } from './prompt.js';
import type { Channel } from './recipe.js';

export interface LedgerLine {
  readonly fragment: string;
  readonly source: string;
  readonly layer: string;
  readonly section?: string;
  readonly verdict: Verdict;
  readonly reason: string;
  readonly level?: string;
  readonly amount?: number;
  /** One-based; absent for fragments that stand on every page or on none. */
  readonly page?: number;
  readonly ref?: string;
  /** What the last step of wording replaced or made visible in its words. */
  readonly finished?: FinishHits;
}

export interface PageRecord {
  readonly amount: number;
  readonly parts: readonly {
    readonly channel: Channel;
    readonly bytes: number;
    readonly hash: string;
    readonly stableBytes: number;
    readonly spans: readonly Span[];
    readonly breakpoints: readonly Breakpoint[];
    /** Of a conversation: offsets in bytes where the other side begins to speak, the model first. */
    readonly turns?: readonly number[];
    /** Of a conversation that somebody else holds: whose words begin where. */
    readonly speakers?: readonly Speaker[];
  }[];
}

export const speakerRoles = ['system', 'user', 'assistant'] as const;

export interface Speaker {
  readonly role: (typeof speakerRoles)[number];
  /** In bytes of UTF-8. */
  readonly offset: number;
  /** The message before goes on, in a part of its own. */
  readonly more?: true;
  /** Hash of the name the speaker goes by. */
  readonly name?: string;
}

export interface LayerRecord {
  readonly id: string;
  readonly amount: number;
  readonly kept: number;
  readonly left: number;
}

export const receiptVersion = 2;

export interface Receipt {
  readonly version: typeof receiptVersion;
  /** Hash of everything below but the ledger and the spans, which are in it by their digests. */
  readonly id: string;
  /** Of the call before this one in the same conversation. */
  readonly previous?: string;
  readonly recipe: { readonly id: string; readonly version: number };
  readonly dialect: { readonly id: string; readonly version: number };
  readonly meter: { readonly id: string; readonly exact: boolean };
  readonly budget: Amount;
  readonly used: Amount;
  readonly concessions: { readonly made: number; readonly offered: number };
  readonly layers: readonly LayerRecord[];
  readonly pages: readonly PageRecord[];
  readonly ledger: readonly LedgerLine[];
  readonly warnings: readonly Warning[];
  /** A receipt without its ledger or its spans is still the same receipt. */
  readonly digests: { readonly ledger: string; readonly spans: string };
}

/** What happened to a fragment, in one word, and why. */
export type Verdict =
  | 'kept'
  | 'stepped-down'
  | 'cut'
  | 'refilled'
  | 'conceded'
  | 'over-own-line'
  | 'too-large'
  | 'beyond-pages'
  | 'duplicate'
  | 'invalid'
  | 'over-limit'
  | 'below-floor'
  | 'withheld';

/** A fragment that was turned away before it could compete, by the press or by the desk that gathered it. */
export interface Rejection {
  readonly id: string;
  readonly source: string;
  readonly layer: string;
  readonly verdict: Extract<
    Verdict,
    'duplicate' | 'invalid' | 'over-limit' | 'below-floor' | 'withheld' | 'conceded'
  >;
  readonly reason: string;
  readonly ref?: string;
}
