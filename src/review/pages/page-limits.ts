// How much of a page is left for the diff? What stands on every page is paid for on every page: it must leave room for the change,
// and rules nobody meant to send whole are refused by name rather than cut.
import { byCodePoint } from '../../core/model/code-points.js';
import { GalleyError } from '../../core/model/error.js';
import { amountOf, type Meter, weightOf } from '../../core/model/meter.js';

/** Tokens of a whole page, and who set that bound. */
export interface PageLimit {
  readonly limit: number;
  readonly limitedBy: keyof typeof advice;
}

/** The least diff a page is worth having for, in tokens. */
const leastDiff = 16;

interface DiffLimits {
  /** Bounds the diff of one page. */
  readonly maxChunkTokens: number;
  readonly limit?: number | undefined;
  readonly limitedBy?: PageLimit['limitedBy'];
}

/** Weight of the diff on one page; `needed` is the weight of what lasts. */
export function diffCapacity(
  needed: number,
  { maxChunkTokens, limit, limitedBy = 'maxPromptTokens' }: DiffLimits,
  meter: Meter,
): number {
  const chunk = weightOf(meter, maxChunkTokens);
  if (limit === undefined) return chunk;
  const left = weightOf(meter, limit) - needed;
  if (left >= Math.min(chunk, weightOf(meter, leastDiff))) return Math.min(chunk, left);
  throw tooSmall(amountOf(meter, needed).n + leastDiff, { limit, limitedBy }, meter);
}

interface ReservedRoom {
  /** Tokens kept free for what may be asked about the answer. */
  readonly again: number;
  /** What a map of the change may take of the rest. */
  readonly mapShare: number;
}

/** `needed` is the weight of everything that lasts, the map aside. */
export function refuseSmallPage(
  needed: number,
  { again, mapShare, ...page }: PageLimit & ReservedRoom,
  meter: Meter,
): void {
  const lasting = amountOf(meter, needed).n + leastDiff;
  const enough = Math.ceil(lasting / (1 - mapShare)) + again;
  if (page.limit < enough) throw tooSmall(enough, page, meter);
}

interface EmptyPage extends Pick<DiffLimits, 'limit' | 'limitedBy'> {
  /** Weight of everything that lasts but the rules. */
  readonly bare: number;
  readonly rules: number;
}

/** A page that shows nothing of a change is no review of it; `least` is the weight of the first lines that could stand there. */
export function refuseEmptyPage(
  { least }: { readonly least?: number | undefined },
  { bare, rules, limit, limitedBy = 'maxPromptTokens' }: EmptyPage,
  meter: Meter,
): void {
  if (least === undefined || limit === undefined) return;
  const room = Math.max(rules + weightOf(meter, leastDiff), least + Math.min(rules, least));
  throw tooSmall(amountOf(meter, bare + room).n + 1, { limit, limitedBy }, meter);
}

const advice = {
  maxPromptTokens: 'raise it',
  'the window of the model': 'take a model with a larger one',
  'a page for a model whose window nobody knows': 'say with maxPromptTokens how much fits',
} as const;

/** The figure in the refusal is one that is enough. */
function tooSmall(enough: number, { limit, limitedBy }: PageLimit, { unit }: Meter): GalleyError {
  return new GalleyError(
    'CONTEXT_BUDGET_INFEASIBLE',
    `Project rules, instructions and headings need a page of ${enough} ${unit}, and ${limitedBy} allows ${limit}; ${advice[limitedBy]} or shorten them.`,
    { details: { needed: enough, limit, unit } },
  );
}

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
