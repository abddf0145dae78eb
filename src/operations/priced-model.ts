// A model that is asked many times in one run: within its ceiling, with the price before the first call and after the last, and a
// receipt kept of every call.
import { GalleyError } from '../core/model/error.js';
import type { Receipt } from '../core/model/receipt.js';
import { builtInCatalog, type Catalog, costOf } from '../models/catalog/catalog.js';
import { withCeiling } from '../models/catalog/with-ceiling.js';
import { countTokens } from '../models/contract/count-tokens.js';
import type { Model, RunRecord, Timeouts } from '../models/contract/model.js';
import { type Estimate, type Spent, spentOn } from '../review/run/prepare-pages.js';
import type { OperationContext } from './operation.js';
import { keepReceipt } from './receipts.js';

interface PriceLimits {
  readonly maxCost?: number | undefined;
  readonly timeoutMs: number;
  readonly firstByteTimeoutMs: number;
}

interface PricedModel {
  readonly ports: {
    readonly model: Model;
    readonly timeouts: Timeouts;
    readonly signal: AbortSignal;
    readonly catalog: Catalog;
  };
  estimate(foreseen: Pick<Estimate, 'pages' | 'calls' | 'inputTokens'>): Estimate;
  spent(runs: readonly RunRecord[]): Spent;
  keep(receipt: Receipt, of: { readonly projectId: string; readonly operation: string }): Promise<void>;
}

/** The same model, which refuses the call that might cost more in all. */
export function withinCost(
  model: Model,
  maxCost: number | undefined,
  catalog: Catalog = builtInCatalog,
): Model {
  return maxCost === undefined
    ? model
    : withCeiling(model, { dollars: maxCost, count: countTokens, catalog });
}

/** Reading costs nothing; asking a model does, and needs the grant for it. */
export async function priced(
  name: string,
  { maxCost, timeoutMs, firstByteTimeoutMs }: PriceLimits,
  context: OperationContext,
): Promise<PricedModel> {
  if (!context.grants.has('run')) throw new GalleyError('FORBIDDEN', 'To ask a model needs the grant "run".');
  const catalog = (await context.prices?.()) ?? builtInCatalog;
  const named = await context.model(name);
  const model = withinCost(named, maxCost, catalog);
  const timeouts = { totalMs: timeoutMs, firstByteMs: Math.min(timeoutMs, firstByteTimeoutMs) };
  return {
    ports: { model, timeouts, signal: context.signal, catalog },
    estimate: (foreseen) => {
      const usage = { inputTokens: foreseen.inputTokens, outputTokens: 0 };
      const cost = costOf(usage, named.id, catalog);
      return { ...foreseen, cachedInputTokens: 0, ...(cost === undefined ? {} : { dollars: cost.dollars }) };
    },
    spent: spentOn,
    keep: (receipt, of) => keepReceipt({ ...of, receipt, summary: { model: named.id } }, context),
  };
}
