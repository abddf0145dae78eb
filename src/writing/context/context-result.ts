// What an assembly answers with.

import type { Hash } from '../../core/model/press.js';
import type { Breakpoint } from '../../core/model/prompt.js';
import type { Receipt } from '../../core/model/receipt.js';
import { providerProfileFor, providerProfilesVersion } from '../../models/catalog/provider-profiles.js';
import type { LayerId } from '../layers/layered-recipe.js';
import { isUntold } from '../story/story-time.js';
import type { HistoryRecord, PrefixChange } from './prompt-history.js';

interface LayerOutcome {
  readonly tokens: number;
  readonly truncated: boolean;
}

interface CacheOutlook {
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

// Tokens and truncation for each layer; the tokens of all layers sum to those of the prompt.
const layerIds = ['rules', 'settings', 'retrieved', 'immediate'] as const satisfies readonly LayerId[];
const cutShort: ReadonlySet<string> = new Set(['conceded', 'over-own-line', 'over-limit', 'cut', 'withheld']);
const present: ReadonlySet<string> = new Set(['kept', 'stepped-down', 'cut', 'refilled']);

/** Whether a line of the ledger stands in the prompt. */
export function isPresent({ verdict }: { readonly verdict: string }): boolean {
  return present.has(verdict);
}

export function layerOutcomes(receipt: Receipt): ContextAssembleResult['layers'] {
  const amounts = new Map(receipt.layers.map(({ id, amount }) => [id, amount]));
  // Other people are Rules, too: they only give way on their own.
  amounts.set('rules', (amounts.get('rules') ?? 0) + (amounts.get('people') ?? 0));
  // Each layer is rounded up for itself; the largest one bears the difference.
  const sum = layerIds.reduce((total, id) => total + (amounts.get(id) ?? 0), 0);
  const largest =
    [...layerIds].sort((a, b) => (amounts.get(b) ?? 0) - (amounts.get(a) ?? 0))[0] ?? 'immediate';
  amounts.set(largest, (amounts.get(largest) ?? 0) - (sum - receipt.used.n));
  const outcome = (id: LayerId) => ({
    tokens: amounts.get(id) ?? 0,
    truncated: receipt.ledger.some(
      (line) =>
        (line.layer === 'people' ? 'rules' : line.layer) === id &&
        cutShort.has(line.verdict) &&
        !isUntold(line),
    ),
  });
  const chunks = receipt.ledger.filter((line) => line.layer === 'retrieved' && isPresent(line)).length;
  return {
    rules: outcome('rules'),
    settings: outcome('settings'),
    retrieved: { ...outcome('retrieved'), chunks },
    immediate: outcome('immediate'),
  };
}

// What a provider's cache can make of a prompt: breakpoints with fingerprints over everything that decides a hit, and
// whether the prefix is large enough.
export function cacheOutlook(
  receipt: Receipt,
  { model, system }: { model: string; system: string },
  hash: Hash,
): CacheOutlook {
  const part = receipt.pages[0]?.parts.find(({ channel }) => channel === 'prompt');
  const { recipe, dialect } = receipt;
  const around = JSON.stringify([model, hash(system), recipe, dialect]);
  const breakpoints = (part?.breakpoints ?? []).map(
    (point): Breakpoint => ({ ...point, fingerprint: hash(`${around}\n${point.fingerprint}`) }),
  );
  const last = breakpoints.at(-1)?.offset ?? 0;
  const amounts = new Map(receipt.ledger.map(({ fragment, amount }) => [fragment, amount ?? 0]));
  // Headings are left out: too small a number is the safe side.
  const prefixTokens = (part?.spans ?? [])
    .filter(({ end }) => end <= last)
    .reduce((sum, { fragment }) => sum + (amounts.get(fragment) ?? 0), 0);
  const { provider, minimumTokens } = providerProfileFor(model);
  return {
    breakpoints,
    cacheable: prefixTokens >= minimumTokens,
    minimumTokens,
    prefixTokens,
    provider,
    profiles: providerProfilesVersion,
  };
}
