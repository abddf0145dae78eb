// What a provider's cache can make of a prompt: breakpoints with fingerprints over everything that decides a hit, and
// whether the prefix is large enough.
import type { Hash } from '../../core/model/press.js';
import type { Breakpoint } from '../../core/model/prompt.js';
import type { Receipt } from '../../core/model/receipt.js';
import { providerProfileFor, providerProfilesVersion } from '../../models/catalog/provider-profiles.js';
import type { CacheOutlook } from './context-result.js';

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
