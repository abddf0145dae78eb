// A model that keeps to the pace its provider allows, together with all processes that share the store: who comes too soon waits
// instead of being refused. The pace stands beside the price of the model.
import { setTimeout as sleep } from 'node:timers/promises';
import { builtInCatalog, type Catalog, rowFor } from '../models/catalog/catalog.js';
import { withAccount } from '../models/catalog/with-ceiling.js';
import { countTokens } from '../models/contract/count-tokens.js';
import type { Model } from '../models/contract/model.js';
import type { Store } from '../store/store.js';
import { waitForStore } from './wait-for-store.js';

export interface PaceOptions {
  readonly catalog?: Catalog | undefined;
  /** Until it is the caller's turn. */
  readonly rest?: ((ms: number, signal: AbortSignal) => Promise<void>) | undefined;
}

const restFor = (ms: number, signal: AbortSignal) => sleep(ms, undefined, { signal });

export function pacedModel(
  model: Model,
  { paces }: Pick<Store, 'paces'>,
  { catalog = builtInCatalog, rest = restFor }: PaceOptions = {},
): Model {
  const { callsPerMinute, tokensPerMinute } = rowFor(model.id, catalog) ?? {};
  if (callsPerMinute === undefined && tokensPerMinute === undefined) return model;
  const limits = { callsPerMinute, tokensPerMinute };
  const take = (amounts: { calls?: number; tokens?: number }) =>
    waitForStore(() => paces.take(`model:${model.id}`, limits, amounts));
  return withAccount(model, { count: countTokens, catalog }, async (estimate, signal) => {
    const tokens = Math.ceil(estimate.tokens);
    const { waitMs } = await take({ calls: 1, tokens });
    if (waitMs > 0) await rest(waitMs, signal);
    return async (cost) => {
      await take({ tokens: Math.ceil(cost.tokens) - tokens });
    };
  });
}
