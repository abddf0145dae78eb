// How much room there is: one limit for each page, and how many pages at most.
import type { Amount } from './amount.js';
import { GalleyError } from './error.js';
import type { Meter } from './meter.js';

export interface Budget {
  readonly limit: Amount;
  readonly maxPages?: number;
}

export function checkBudget({ limit, maxPages }: Budget, meter: Meter): Amount {
  const refuse = (field: string, message: string) =>
    new GalleyError('INVALID_ARGUMENT', message, { details: { field } });
  if (limit.unit !== meter.unit) {
    throw refuse(
      'budget.limit.unit',
      `The budget is in ${limit.unit}, but meter "${meter.id}" counts ${meter.unit}.`,
    );
  }
  if (!Number.isSafeInteger(limit.n) || limit.n < 0) {
    throw refuse('budget.limit.n', 'The budget must be a whole number, zero or more.');
  }
  if (maxPages !== undefined && (!Number.isSafeInteger(maxPages) || maxPages < 1)) {
    throw refuse('budget.maxPages', 'The number of pages must be a whole number, one or more.');
  }
  return limit;
}
