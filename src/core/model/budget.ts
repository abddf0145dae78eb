// How much room there is: one limit for each page, and how many pages at most.
import type { Amount } from './amount.js';

export interface Budget {
  readonly limit: Amount;
  readonly maxPages?: number;
}
