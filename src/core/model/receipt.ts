// What was done, without a word of the text: a verdict for every fragment, hashes, prices, versions.
import type { Amount } from './amount.js';
import type { Breakpoint, Span } from './prompt.js';
import type { Channel } from './recipe.js';
import type { RunRecord } from './run-record.js';
import type { Verdict } from './verdict.js';
import type { Warning } from './warning.js';

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
  }[];
}

export interface LayerRecord {
  readonly id: string;
  readonly amount: number;
  readonly kept: number;
  readonly left: number;
}

export interface Receipt {
  readonly version: 1;
  readonly id: string;
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
  /** What models made of it, once it was sent. */
  readonly runs?: readonly RunRecord[];
}
