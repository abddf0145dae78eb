// How much of a page is left for the diff, once everything that stands on every page has its place.

import { byCodePoint } from '../../core/model/code-point-order.js';
import { GalleyError } from '../../core/model/error.js';
import { amountOf, type Meter, weightOf } from '../../core/model/meter.js';

interface PageLimits {
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

// What stands on every page is paid for on every page: it must leave room for the change, and rules nobody meant to send whole are
// refused by name rather than cut.
/** A quarter of the usual page. */
export const defaultRuleTokens = 30_000;
const maxNamed = 3;

export function refuseLongRules(
  rules: readonly { readonly path: string; readonly text: string }[],
  limit: number,
  meter: Meter,
): void {
  const weighed = rules.map(({ path, text }) => ({ path, weight: meter.weigh(text) }));
  const all = amountOf(
    meter,
    weighed.reduce((sum, { weight }) => sum + weight, 0),
  ).n;
  if (all <= limit) return;
  const longest = weighed.sort((a, b) => b.weight - a.weight || byCodePoint(a.path, b.path));
  const files = longest
    .slice(0, maxNamed)
    .map(({ path, weight }) => `${path} (${amountOf(meter, weight).n})`);
  const more = longest.length > maxNamed ? ` and ${longest.length - maxNamed} more` : '';
  throw new GalleyError(
    'CONTEXT_BUDGET_INFEASIBLE',
    `Project rules take ${all} ${meter.unit} of every page, and maxRuleTokens allows ${limit}: ${files.join(', ')}${more}; shorten them or raise it.`,
    { details: { needed: all, limit, unit: meter.unit } },
  );
}

/** The least diff a page is worth having for. */
const leastDiff = 16;

interface PageRoom {
  readonly limit: number;
  readonly limitedBy: 'maxPromptTokens' | 'the window of the model';
  /** Kept free for what may be asked about the answer. */
  readonly again: number;
  /** What a map of the change may take of the rest. */
  readonly mapShare: number;
}

/** `needed` is the weight of everything that lasts, the map aside; the figure in the refusal is one that is enough. */
export function refuseSmallPage(needed: number, room: PageRoom, meter: Meter): void {
  const lasting = amountOf(meter, needed).n + leastDiff;
  const enough = Math.ceil(lasting / (1 - room.mapShare)) + room.again;
  if (room.limit >= enough) return;
  throw new GalleyError(
    'CONTEXT_BUDGET_INFEASIBLE',
    `Project rules, instructions and headings need a page of ${enough} ${meter.unit}, and ${room.limitedBy} allows ${room.limit}; ${
      room.limitedBy === 'maxPromptTokens' ? 'raise it' : 'take a model with a larger one'
    } or shorten them.`,
    { details: { needed: enough, limit: room.limit, unit: meter.unit } },
  );
}
