// How much of a page is left for the diff, once everything that stands on every page has its place.
import { GalleyError } from '../../core/model/error.js';
import { amountOf, type Meter, weightOf } from '../../core/model/meter.js';

export interface PageLimits {
  /** Bounds the diff of one page. */
  readonly maxChunkTokens: number;
  /** Bounds a whole page. */
  readonly maxPromptTokens?: number | undefined;
  /** Who set that bound. */
  readonly setBy?: 'maxPromptTokens' | 'the window of the model' | undefined;
}

const leastTokens = 16;

/** Weight of the diff on one page; `needed` is the weight of what lasts. */
export function diffCapacity(needed: number, limits: PageLimits, meter: Meter): number {
  const chunk = weightOf(meter, limits.maxChunkTokens);
  const { maxPromptTokens, setBy = 'maxPromptTokens' } = limits;
  if (maxPromptTokens === undefined) return chunk;
  const left = weightOf(meter, maxPromptTokens) - needed;
  if (left >= Math.min(chunk, weightOf(meter, leastTokens))) return Math.min(chunk, left);
  const enough = amountOf(meter, needed).n + leastTokens;
  throw new GalleyError(
    'CONTEXT_BUDGET_INFEASIBLE',
    `Project rules, instructions and headings need a page of ${enough} ${meter.unit}, and ${setBy} allows ${maxPromptTokens}; ${
      setBy === 'maxPromptTokens' ? 'raise it' : 'take a model with a larger one'
    } or shorten them.`,
    { details: { needed: enough, limit: maxPromptTokens, unit: meter.unit } },
  );
}
