// What calls cost, as far as anybody knows: the seam between a review and the prices of models.
import type { RunRecord } from '../../core/model/run-record.js';
import type { Model, Usage } from '../../models/model.js';
import type { RunFacts } from './review-pages.js';

export interface RunCosts {
  /** Undefined when the price of the model is not known. */
  costOf(usage: Usage, model: string): RunRecord['cost'] | undefined;
  /** The model under a ceiling: a call that would go beyond it refuses with COST_CEILING_REACHED. */
  underCeiling?(model: Model, dollars: number): Model;
}

export const unknownCosts: RunCosts = { costOf: () => undefined };

export function recordWith(costs: RunCosts): (facts: RunFacts) => RunRecord {
  return ({ model, page, foreseen, usage, attempts }) => {
    const cost = usage === undefined ? undefined : costs.costOf(usage, model);
    return {
      model,
      ...(page === undefined ? {} : { page }),
      foreseen,
      ...(usage === undefined ? {} : { reported: usage }),
      ...(cost === undefined ? {} : { cost }),
      attempts,
    };
  };
}
