// What an assembly answers with.
import type { Breakpoint } from '../../core/model/prompt.js';
import type { Receipt } from '../../core/model/receipt.js';
import type { LayerId } from './budget-profile.js';
import type { HistoryRecord } from './prompt-history.js';
import type { PrefixChange } from './stable-prefix.js';

interface LayerOutcome {
  readonly tokens: number;
  readonly truncated: boolean;
}

export interface CacheOutlook {
  readonly breakpoints: readonly Breakpoint[];
  /** Whether the prefix at the last breakpoint is large enough for the model's provider to cache. */
  readonly cacheable: boolean;
  readonly minimumTokens: number;
  readonly prefixTokens: number;
  readonly provider: string;
  readonly profiles: string;
}

export type ContextReceipt = Receipt & {
  readonly lane: HistoryRecord;
  readonly stablePrefixHash: string;
};

export interface ContextAssembleResult {
  readonly prompt: string;
  /** The system text that goes with it; empty where there is none. */
  readonly system: string;
  /** Of what was set; in layers a skill's system text is the caller's to send and not counted here. */
  readonly tokenCount: number;
  readonly stablePrefixHash: string;
  readonly stablePrefixUnchanged: boolean;
  readonly layers: Readonly<Record<LayerId, LayerOutcome>> & {
    readonly retrieved: LayerOutcome & { readonly chunks: number };
  };
  readonly warnings: readonly string[];
  readonly budget: { readonly total: number; readonly version: number };
  readonly cache: CacheOutlook;
  /** Why the prefix is not the one of the request before. */
  readonly prefixChange?: PrefixChange;
  /** Under which id the receipt was stored. */
  readonly receiptId?: string;
  readonly receipt: ContextReceipt;
}
