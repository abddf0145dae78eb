// What a review will take before it starts, and what it took.

import { type Catalog, costOf } from '../../models/catalog/catalog.js';
import type { RunRecord } from '../../models/contract/model.js';
import type { PreparedReview } from './prepare-pages.js';

export interface Estimate {
  readonly pages: number;
  /** Pages without an answer from an earlier run. */
  readonly calls: number;
  readonly inputTokens: number;
  /** Of these, what a provider is likely to have kept. */
  readonly cachedInputTokens: number;
  /** For what is read; what will be answered is not known yet. */
  readonly dollars?: number;
}

export function estimateOf(review: PreparedReview, model: string, catalog: Catalog): Estimate {
  const open = review.pages.filter(({ findings }) => findings === undefined);
  const inputTokens = open.reduce((sum, { tokens }) => sum + tokens, 0);
  const cachedInputTokens = Math.max(0, open.length - 1) * review.cacheableTokens;
  const cost = costOf({ inputTokens, cachedInputTokens, outputTokens: 0 }, model, catalog);
  return {
    pages: review.pages.length,
    calls: open.length,
    inputTokens,
    cachedInputTokens,
    ...(cost === undefined ? {} : { dollars: cost.dollars }),
  };
}

export interface Spent {
  readonly calls: number;
  /** What models reported; those that say nothing count as nothing. */
  readonly inputTokens: number;
  readonly cachedInputTokens: number;
  readonly outputTokens: number;
  readonly dollars?: number;
}

export function spentOn(runs: readonly RunRecord[]): Spent {
  const sum = (pick: (run: RunRecord) => number | undefined) =>
    runs.reduce((total, run) => total + (pick(run) ?? 0), 0);
  const priced = runs.some(({ cost }) => cost !== undefined);
  return {
    calls: sum(({ attempts }) => attempts),
    inputTokens: sum(({ reported }) => reported?.inputTokens),
    cachedInputTokens: sum(({ reported }) => reported?.cachedInputTokens),
    outputTokens: sum(({ reported }) => reported?.outputTokens),
    ...(priced ? { dollars: sum(({ cost }) => cost?.dollars) } : {}),
  };
}
