// A model that refuses the call that might pass a ceiling in dollars; for all calls of one run together, at once or in turn.
import { GalleyError } from '../../core/model/error.js';
import type { Model, ModelRequest, RunOptions } from '../model.js';
import { overhear } from '../overhear.js';
import { builtInCatalog, type Catalog, rowFor } from './catalog.js';
import { costOf } from './cost-of.js';
import { createPurse } from './purse.js';

export interface Ceiling {
  readonly dollars: number;
  /** Tokens of a text, rather too many than too few. */
  readonly count: (text: string) => number | Promise<number>;
  readonly catalog?: Catalog;
  /** Assumed of a request that does not limit its answer. */
  readonly outputTokens?: number;
}

export interface CeilingModel extends Model {
  /** Dollars so far; calls under way come in when they end. */
  spent(): number;
}

const usualOutput = 4_096;

export function withCeiling(model: Model, ceiling: Ceiling): CeilingModel {
  const { catalog = builtInCatalog } = ceiling;
  checkCeiling(model, ceiling.dollars, catalog);
  const purse = createPurse(ceiling.dollars);
  return {
    ...model,
    spent: purse.spent,
    run: async (request, options) => {
      const estimate = await estimateOf(model, request, ceiling);
      await purse.reserve(estimate, options.signal);
      const { wasted, run } = listen(options);
      let cost = 0;
      try {
        const answer = await model.run(request, run);
        const known =
          answer.usage === undefined ? undefined : costOf(answer.usage, model.id, catalog)?.dollars;
        cost = (known ?? estimate) + wasted(false) * estimate;
        return answer;
      } catch (error) {
        cost = wasted(true) * estimate;
        throw error;
      } finally {
        purse.settle(estimate, cost);
      }
    },
  };
}

function checkCeiling(model: Model, dollars: number, catalog: Catalog): void {
  if (!(dollars > 0))
    throw new GalleyError('INVALID_ARGUMENT', 'ceiling: must be more than 0 dollars.', {
      details: { field: 'ceiling' },
    });
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
  { count, catalog = builtInCatalog, outputTokens = usualOutput }: Ceiling,
): Promise<number> {
  if (model.family === 'replay') return 0;
  const inputTokens = (await count(system)) + (await count(prompt));
  const usage = { inputTokens, outputTokens: maxOutputTokens ?? outputTokens, cacheWriteTokens: inputTokens };
  return costOf(usage, model.id, catalog)?.dollars ?? 0;
}

/** Calls that broke off after words had come are paid for, though they gave no answer. */
function listen(options: RunOptions): { wasted(failed: boolean): number; run: RunOptions } {
  let calls = 0;
  let spoken = false;
  const run = overhear(options, {
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
