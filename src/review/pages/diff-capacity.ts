// How much of a page is left for the diff, once everything that stands on every page has its place.
import { GalleyError } from '../../core/model/error.js';
import { amountOf, type Meter, weightOf } from '../../core/model/meter.js';

export interface PageLimits {
  /** Bounds the diff of one page. */
  readonly maxChunkTokens: number;
  /** Bounds a whole page. */
  readonly maxPromptTokens?: number | undefined;
}

const leastTokens = 16;

/** Weight of the diff on one page; `needed` is the weight of what lasts. */
export function diffCapacity(needed: number, limits: PageLimits, meter: Meter): number {
  const chunk = weightOf(meter, limits.maxChunkTokens);
  const { maxPromptTokens } = limits;
  if (maxPromptTokens === undefined) return chunk;
  const left = weightOf(meter, maxPromptTokens) - needed;
  if (left >= Math.min(chunk, weightOf(meter, leastTokens))) return Math.min(chunk, left);
  const amount = amountOf(meter, needed).n;
  throw new GalleyError(
    'CONTEXT_BUDGET_INFEASIBLE',
    `What stands on every page (rules, instructions, headings) needs ${amount} ${meter.unit}, and a page takes ${maxPromptTokens}; raise maxPromptTokens or shorten the rules.`,
    { details: { needed: amount + leastTokens, limit: maxPromptTokens, unit: meter.unit } },
  );
}
