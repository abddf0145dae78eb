// What a call cost by the tokens it reports, in dollars.
import type { Usage } from '../model.js';
import { builtInCatalog, type Catalog, rowFor } from './catalog.js';

export interface Cost {
  readonly dollars: number;
  /** The version of the prices. */
  readonly prices: string;
}

const perMillion = 1_000_000;

/** Undefined when the price of the model is not known. */
export function costOf(usage: Usage, model: string, catalog: Catalog = builtInCatalog): Cost | undefined {
  const row = rowFor(model, catalog);
  if (row === undefined) return undefined;
  const { inputTokens, outputTokens, cachedInputTokens = 0, cacheWriteTokens = 0 } = usage;
  const prices = row.long !== undefined && inputTokens > row.long.above ? row.long : row;
  const { input, output, cachedInput = input, cacheWrite = input } = prices;
  const fresh = Math.max(0, inputTokens - cachedInputTokens - cacheWriteTokens);
  const sum =
    fresh * input + cachedInputTokens * cachedInput + cacheWriteTokens * cacheWrite + outputTokens * output;
  return { dollars: sum / perMillion, prices: catalog.version };
}
