// The refusal when what must stay does not fit, said in the caller's units.
import { GalleyError } from '../model/error.js';
import { amountOf, type Meter } from '../model/meter.js';

export function infeasible(meter: Meter, needed: number, limit: number): GalleyError {
  const need = amountOf(meter, needed).n;
  const have = Math.max(0, Math.floor(limit / meter.scale));
  return new GalleyError(
    'CONTEXT_BUDGET_INFEASIBLE',
    `What must stay needs ${need} ${meter.unit} and the budget allows ${have}: ${need - have} more are needed.`,
    { details: { needed: need, limit: have, missing: need - have, unit: meter.unit } },
  );
}
