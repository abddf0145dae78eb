// A model that refuses the call that might pass a ceiling in dollars; for all calls of one run together, at once or in turn.
import { GalleyError } from '../../core/model/error.js';
import type { Model, ModelRequest, RunOptions } from '../contract/model.js';
import { tapText } from '../contract/tap-text.js';
import { builtInCatalog, type Catalog, costOf, rowFor } from './catalog.js';

interface Ceiling {
  readonly dollars: number;
  /** Of several models together; one of its own when left out. */
  readonly budget?: CostBudget | undefined;
  /** Tokens of a text, rather too many than too few. */
  readonly count: (text: string) => number | Promise<number>;
  readonly catalog?: Catalog;
  /** Assumed of a request that does not limit its answer. */
  readonly outputTokens?: number;
}

interface CeilingModel extends Model {
  /** Dollars so far; calls under way come in when they end. */
  spent(): number;
}

const usualOutput = 4_096;

export function withCeiling(model: Model, ceiling: Ceiling): CeilingModel {
  const { catalog = builtInCatalog } = ceiling;
  checkCeiling(model, ceiling.dollars, catalog);
  const purse = ceiling.budget ?? createCostBudget(ceiling.dollars);
  const metered = withAccount(model, ceiling, async ({ dollars }, signal) => {
    await purse.reserve(dollars, signal);
    return async (cost) => purse.settle(dollars, cost.dollars);
  });
  return { ...metered, spent: purse.spent };
}

/** What a call takes: tokens read and written, and dollars; none where the price is not known. */
export interface CallCost {
  readonly tokens: number;
  readonly dollars: number;
}

/** Refuses, or reserves the most a call may cost and gives back how to say what it did cost. */
type Reserve = (estimate: CallCost, signal: AbortSignal) => Promise<(cost: CallCost) => Promise<void>>;

/** A model whose calls are reserved before they begin and settled when they have ended, however they end. */
export function withAccount(
  model: Model,
  pricing: Pick<Ceiling, 'count' | 'catalog' | 'outputTokens'>,
  reserve: Reserve,
): Model {
  const { catalog = builtInCatalog } = pricing;
  return {
    ...model,
    run: async (request, options) => {
      const estimate = await estimateOf(model, request, pricing);
      const settle = await reserve(estimate, options.signal);
      const { wasted, run } = listen(options);
      let cost: CallCost = { tokens: 0, dollars: 0 };
      const counting = (known: CallCost, times: number): CallCost => ({
        tokens: known.tokens + times * estimate.tokens,
        dollars: known.dollars + times * estimate.dollars,
      });
      try {
        const answer = await model.run(request, run);
        const { usage } = answer;
        const known =
          usage === undefined
            ? estimate
            : {
                tokens: usage.inputTokens + usage.outputTokens,
                dollars: costOf(usage, model.id, catalog)?.dollars ?? estimate.dollars,
              };
        cost = counting(known, wasted(false));
        return answer;
      } catch (error) {
        cost = counting(cost, wasted(true));
        throw error;
      } finally {
        await settle(cost);
      }
    },
  };
}

function checkCeiling(model: Model, dollars: number, catalog: Catalog): void {
  if (!(dollars > 0))
    throw new GalleyError('INVALID_ARGUMENT', 'ceiling: must be more than 0 dollars.', {
      details: { field: 'ceiling' },
    });
  checkPriced(model, catalog);
}

/** Who may spend only so much asks no model whose price is not known. */
export function checkPriced(model: Model, catalog: Catalog): void {
  if (model.family === 'replay' || rowFor(model.id, catalog) !== undefined) return;
  throw new GalleyError(
    'CONFIG_INVALID',
    'The price of this model is not known, so no ceiling can be kept; give it in a file that GALLEY_PRICES names.',
    { details: { field: 'ceiling', model: model.id } },
  );
}

/** As if nothing were cached and everything were kept. */
async function estimateOf(
  model: Model,
  { system = '', prompt, maxOutputTokens }: ModelRequest,
  {
    count,
    catalog = builtInCatalog,
    outputTokens = usualOutput,
  }: Pick<Ceiling, 'count' | 'catalog' | 'outputTokens'>,
): Promise<CallCost> {
  if (model.family === 'replay') return { tokens: 0, dollars: 0 };
  const inputTokens = (await count(system)) + (await count(prompt));
  const usage = { inputTokens, outputTokens: maxOutputTokens ?? outputTokens, cacheWriteTokens: inputTokens };
  return {
    tokens: usage.inputTokens + usage.outputTokens,
    dollars: costOf(usage, model.id, catalog)?.dollars ?? 0,
  };
}

/** Calls that broke off after words had come are paid for, though they gave no answer. */
function listen(options: RunOptions): { wasted(failed: boolean): number; run: RunOptions } {
  let calls = 0;
  let spoken = false;
  const run = tapText(options, {
    onWords() {
      spoken = true;
    },
    onVoid() {
      if (spoken) calls += 1;
      spoken = false;
    },
  });
  return { run, wasted: (failed) => calls + (failed && spoken ? 1 : 0) };
}

/** Money that several calls share: each reserves the most it may cost before it starts and settles what it did cost. */
export interface CostBudget {
  spent(): number;
  /** Waits while calls under way may still turn out cheaper; refuses when even then there is not enough. */
  reserve(dollars: number, signal: AbortSignal): Promise<void>;
  settle(reserved: number, cost: number): void;
}

export function createCostBudget(ceiling: number): CostBudget {
  let spent = 0;
  let reserved = 0;
  let underWay = 0;
  const waiting = new Set<() => void>();
  return {
    spent: () => spent,
    async reserve(dollars, signal) {
      while (spent + reserved + dollars > ceiling) {
        if (underWay === 0) throw reached(ceiling, spent, dollars);
        await settled(waiting, signal);
      }
      underWay += 1;
      reserved += dollars;
    },
    settle(dollars, cost) {
      underWay -= 1;
      // Sums of fractions leave a trace; with nobody under way there is nothing reserved.
      reserved = underWay === 0 ? 0 : reserved - dollars;
      spent += cost;
      for (const wake of waiting) wake();
    },
  };
}

/** Until some call has settled. */
async function settled(waiting: Set<() => void>, caller: AbortSignal): Promise<void> {
  const signal = AbortSignal.any([caller]);
  let wake = () => {};
  const woken = new Promise<void>((resolve) => {
    wake = resolve;
  });
  waiting.add(wake);
  signal.addEventListener('abort', wake, { once: true });
  if (!signal.aborted) await woken;
  waiting.delete(wake);
  signal.removeEventListener('abort', wake);
  if (signal.aborted) throw new GalleyError('CANCELLED', 'The call was cancelled before it began.');
}

function reached(ceiling: number, spent: number, estimate: number): GalleyError {
  const short = (dollars: number) => Math.round(dollars * 10_000) / 10_000;
  return new GalleyError(
    'COST_CEILING_REACHED',
    `The next call may cost $${short(estimate)}, and $${short(spent)} of $${short(ceiling)} are spent; raise the ceiling to go on.`,
    { details: { ceiling, spent: short(spent), estimate: short(estimate) } },
  );
}
