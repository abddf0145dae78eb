// The flags of commands that have a model read a pull request, as a request. What is not said is left to the operation.
import { contextWishOf, dollarsOf } from '../review/review-request.js';
import { wholeNumber } from '../shell/read-input.js';
import { spokenLanguage } from '../words/word.js';

export interface PrRunOptions {
  readonly repo: string;
  readonly key?: string;
  readonly model?: string;
  readonly failLevel?: string;
  readonly minSeverity?: string;
  readonly most?: string;
  readonly maxCost?: string;
  readonly maxPullCost?: string;
  readonly maxMonthCost?: string;
  readonly maxPages?: string;
  readonly context?: string;
  readonly followUps?: string;
  readonly followUpTokens?: string;
  readonly verify?: boolean;
  readonly verifyModel?: string;
  readonly skill?: string;
  readonly language?: string;
  readonly concurrency?: string;
  readonly timeout?: string;
  readonly fresh?: boolean;
  readonly json?: boolean;
}

/** `isPublic`: others will read it, so it does not follow the terminal of whoever runs it. */
export function prRequest(
  pull: string | undefined,
  options: PrRunOptions,
  more: Readonly<Record<string, unknown>> & { readonly isPublic: boolean },
): Record<string, unknown> {
  const { isPublic, ...rest } = more;
  const whole = (text: string | undefined, name: string, times = 1) =>
    text === undefined ? undefined : wholeNumber(text, name, 1) * times;
  const dollars = (text: string | undefined, name: string) =>
    text === undefined ? undefined : dollarsOf(text, name);
  const { repo, key, failLevel, minSeverity, verify, verifyModel, skill, fresh } = options;
  const given = {
    ...{ pull, repo, key, failLevel, minSeverity, verify, verifyModel, skill, fresh },
    model: options.model ?? (process.env.GALLEY_MODEL || undefined),
    most: whole(options.most, '--most'),
    maxCost: dollars(options.maxCost, '--max-cost'),
    maxPullCost: dollars(options.maxPullCost, '--max-pull-cost'),
    maxMonthCost: dollars(options.maxMonthCost, '--max-month-cost'),
    maxPages: whole(options.maxPages, '--max-pages'),
    context: contextWishOf(options.context),
    followUps:
      options.followUps === undefined ? undefined : wholeNumber(options.followUps, '--follow-ups', 0),
    followUpTokens: whole(options.followUpTokens, '--follow-up-tokens'),
    language:
      options.language ??
      (options.json !== true && !isPublic && spokenLanguage() === 'zh' ? 'Simplified Chinese' : undefined),
    concurrency: whole(options.concurrency, '--concurrency'),
    timeoutMs: whole(options.timeout, '--timeout', 1000),
    ...rest,
  };
  return Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined));
}
