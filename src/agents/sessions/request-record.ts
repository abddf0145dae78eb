// What the requests of a session used, and where a provider could not go on from the prefix it had kept. The cause is what the
// file shows to have happened since the request before; where it shows nothing, that is said.
import { type Catalog, costOf } from '../../models/catalog/catalog.js';
import { providerProfileFor } from '../../models/catalog/provider-profiles.js';
import type { Usage } from '../../models/contract/model.js';
import type { SessionRequest } from './session-log.js';

/** `not-in-file`: nothing in the file tells; system text, tools and memory files are not in it. */
export const breakCauses = [
  'model',
  'compaction',
  'rewind',
  'resume',
  'version',
  'expired',
  'not-in-file',
] as const;

export type BreakCause = (typeof breakCauses)[number];

/** Where in the window a request stood, and in which of them: what it sent are the entries before. */
export interface RequestPlace {
  readonly until: number;
  readonly generation: number;
}

export interface RequestLine extends Usage, RequestPlace {
  /** One-based, among all of the session. */
  readonly number: number;
  readonly at?: number | undefined;
  readonly model: string;
}

export interface PrefixBreak extends RequestPlace {
  readonly request: number;
  readonly at?: number | undefined;
  readonly cause: BreakCause;
  /** Read from the cache, and what was kept there before. */
  readonly cachedTokens: number;
  readonly keptTokens: number;
}

export interface ModelCost {
  readonly model: string;
  readonly requests: number;
  readonly inputTokens: number;
  readonly cachedInputTokens: number;
  readonly outputTokens: number;
  /** Absent where nobody knows what the model costs. */
  readonly dollars?: number;
}

/** So many are listed one by one, the newest; sums are of all. */
const maxListed = 500;

export function createRequestRecord(catalog: Catalog) {
  const listed: Settled[] = [];
  const breaks: (Settled & { readonly broken: Broken })[] = [];
  const costs = new Map<string, { -readonly [Field in keyof ModelCost]: ModelCost[Field] }>();
  let number = 0;
  let breakCount = 0;
  let largestInput = 0;
  let happened: BreakCause | undefined;
  let before: SessionRequest | undefined;
  let open: { request: SessionRequest; place: RequestPlace } | undefined;

  const addCost = ({ model, usage }: SessionRequest) => {
    let so = costs.get(model);
    if (so === undefined) {
      so = { model, requests: 0, inputTokens: 0, cachedInputTokens: 0, outputTokens: 0 };
      costs.set(model, so);
    }
    const price = costOf(usage, model, catalog)?.dollars;
    so.requests += 1;
    so.inputTokens += usage.inputTokens;
    so.cachedInputTokens += usage.cachedInputTokens ?? 0;
    so.outputTokens += usage.outputTokens;
    if (price !== undefined) so.dollars = (so.dollars ?? 0) + price;
  };
  const settle = () => {
    if (open === undefined) return;
    const { request, place } = open;
    open = undefined;
    number += 1;
    largestInput = Math.max(largestInput, request.usage.inputTokens);
    addCost(request);
    listed.push({ number, request, place });
    if (listed.length > maxListed) listed.shift();
    const broken = before === undefined ? undefined : breakBetween(before, request, happened);
    if (broken !== undefined) {
      breakCount += 1;
      breaks.push({ number, request, place, broken });
      if (breaks.length > maxListed) breaks.shift();
    }
    before = request;
    happened = undefined;
  };
  return {
    add(request: SessionRequest, place: RequestPlace) {
      if (request.isHelper) return addCost(request);
      if (open?.request.id !== request.id) settle();
      // Told again, it is fuller; the place it was asked from stays.
      open = { request, place: open?.place ?? place };
    },
    /** The first of several things is the one that broke it. */
    note(cause: BreakCause) {
      settle();
      happened ??= cause;
    },
    finish() {
      settle();
      return {
        lines: listed.map(lineOf),
        breaks: breaks.map(breakOf),
        breakCount,
        count: number,
        largestInput,
        costs: [...costs.values()],
        last: before,
      };
    },
  };
}

interface Settled {
  readonly number: number;
  readonly request: SessionRequest;
  readonly place: RequestPlace;
}

const lineOf = ({ number, request: { at, model, usage }, place }: Settled): RequestLine => ({
  number,
  at,
  model,
  ...usage,
  ...place,
});

type Broken = Pick<PrefixBreak, 'cause' | 'cachedTokens' | 'keptTokens'>;

const breakOf = ({ number, request, place, broken }: Settled & { readonly broken: Broken }): PrefixBreak => ({
  request: number,
  at: request.at,
  ...broken,
  ...place,
});

/** What the reports of two requests say of the prefix they share. */
export function breakBetween(
  before: SessionRequest,
  now: SessionRequest,
  happened: BreakCause | undefined,
): Broken | undefined {
  const { stepTokens, minimumTokens, lifeMs } = providerProfileFor(before.model);
  const { inputTokens, cachedInputTokens = 0, cacheWriteTokens } = before.usage;
  const keptTokens = cacheWriteTokens === undefined ? inputTokens : cachedInputTokens + cacheWriteTokens;
  const cachedTokens = now.usage.cachedInputTokens ?? 0;
  const slack = Math.max(2 * stepTokens, keptTokens / 100, 128);
  if (keptTokens < minimumTokens || cachedTokens >= keptTokens - slack) return undefined;
  const idle = now.at === undefined || before.at === undefined ? 0 : now.at - before.at;
  const isExpired = idle > (before.lifeMs ?? lifeMs);
  const cause = now.model !== before.model ? 'model' : (happened ?? (isExpired ? 'expired' : 'not-in-file'));
  return { cause, cachedTokens, keptTokens };
}
