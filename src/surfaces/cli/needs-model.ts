// Flags that mean something only when a model reviews. Without one a build that asks for --fail-level would pass for ever.
import { GalleyError } from '../../core/model/error.js';
import type { ReviewRunOptions } from './review/review-request.js';

const flags = {
  plan: '--plan',
  planModel: '--plan-model',
  concurrency: '--concurrency',
  maxOutput: '--max-output',
  timeout: '--timeout',
  firstByteTimeout: '--first-byte-timeout',
  maxCost: '--max-cost',
  language: '--language',
  fresh: '--fresh',
  format: '--format',
  earlier: '--earlier',
  minSeverity: '--min-severity',
  most: '--most',
  failLevel: '--fail-level',
} as const satisfies Readonly<Partial<Record<keyof ReviewRunOptions, string>>>;

export function refuseWithoutModel(options: ReviewRunOptions): void {
  const names = Object.keys(flags) as (keyof typeof flags)[];
  const given = names.find((name) => options[name] !== undefined);
  if (given === undefined) return;
  throw new GalleyError(
    'INVALID_ARGUMENT',
    `${flags[given]} is for a review by a model; add --model <name>, or set GALLEY_MODEL.`,
    { details: { field: given } },
  );
}
