// How much room there is: a limit for each page, one for what is spread over the pages, and how many pages at most.

import { GalleyError } from './error.js';
import { type Amount, type Meter, weightOf } from './meter.js';

export interface Budget {
  readonly limit: Amount;
  /** In the limit's unit: what spread layers may weigh together on one page, headings and repeated layers not counted. */
  readonly spread?: number;
  readonly maxPages?: number;
  /** In the limit's unit: kept free on each page for what may follow it in a conversation. */
  readonly reserve?: number;
  /** Lines that layers must keep to together on each page. */
  readonly lines?: readonly BudgetLine[];
}

export interface BudgetLine {
  readonly layers: readonly string[];
  /** In the limit's unit. */
  readonly n: number;
  /** Zero-based, for a line that holds on one page only. */
  readonly page?: number;
}

/** What may be used of the limit, once the budget is found to be sound. */
export function usableOf({ limit, spread, maxPages, reserve = 0, lines = [] }: Budget, meter: Meter): number {
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
  if (spread !== undefined && (!Number.isSafeInteger(spread) || spread < 0)) {
    throw refuse('budget.spread', 'The room for spread layers must be a whole number, zero or more.');
  }
  if (maxPages !== undefined && (!Number.isSafeInteger(maxPages) || maxPages < 1)) {
    throw refuse('budget.maxPages', 'The number of pages must be a whole number, one or more.');
  }
  if (lines.some(({ n }) => !Number.isSafeInteger(n) || n < 0)) {
    throw refuse('budget.lines', 'What layers may weigh together must be a whole number, zero or more.');
  }
  if (!Number.isSafeInteger(reserve) || reserve < 0 || reserve > limit.n) {
    throw refuse('budget.reserve', 'What is kept free must be a whole number within the limit.');
  }
  return limit.n - reserve;
}

/** The bounds beside the limit, in weights. */
export function boundsOf({ spread, maxPages, lines }: Budget, meter: Meter): Bounds {
  return {
    ...(spread === undefined ? {} : { spread: weightOf(meter, spread) }),
    ...(maxPages === undefined ? {} : { maxPages }),
    lines: (lines ?? []).map(({ n, ...line }) => ({ ...line, n: weightOf(meter, n) })),
  };
}

export interface Bounds {
  /** Weight allowed on each page for what is spread. */
  readonly spread?: number;
  readonly maxPages?: number;
  readonly lines?: readonly BudgetLine[];
}
