// The options of galley review as a request for a review by a model.
import { GalleyError } from '../../core/model/error.js';
import { parseInput } from '../../core/model/input.js';
import type { LentRepository } from '../../git/repository/open-repository.js';
import { type Intent, intentSchema } from '../../review/prompt/intent.js';
import { type ReviewRunRequest, reviewRunRequest } from '../../review/run/run-request.js';
import { readTextFile } from './read-input.js';
import { contextWishOf, type ReviewOptions, requestOf } from './review-request.js';
import { wholeNumber } from './whole-number.js';
import { spokenLanguage } from './words/word.js';

export interface ReviewRunOptions extends ReviewOptions {
  readonly model?: string;
  readonly intent?: string;
  readonly dryRun?: boolean;
  readonly plan?: boolean;
  readonly planModel?: string;
  readonly concurrency?: string;
  readonly maxOutput?: string;
  readonly timeout?: string;
  readonly firstByteTimeout?: string;
  readonly maxCost?: string;
  readonly language?: string;
  readonly fresh?: boolean;
  readonly format?: string;
  readonly earlier?: string;
  readonly minSeverity?: string;
  readonly most?: string;
  readonly failLevel?: string;
}

export async function runRequestOf(
  options: ReviewRunOptions,
  lent?: LentRepository,
): Promise<ReviewRunRequest> {
  const { earlier, maxCost } = options;
  const whole = (text: string | undefined, flag: string, times = 1) =>
    text === undefined ? undefined : wholeNumber(text, flag, 1) * times;
  const given = {
    model: options.model,
    dryRun: options.dryRun,
    context: contextWishOf(options.context),
    intent: options.intent === undefined ? undefined : intentOf(await readTextFile(options.intent)),
    planner: options.plan,
    planModel: options.planModel,
    concurrency: whole(options.concurrency, '--concurrency'),
    maxOutputTokens: whole(options.maxOutput, '--max-output'),
    timeoutMs: whole(options.timeout, '--timeout', 1000),
    firstByteTimeoutMs: whole(options.firstByteTimeout, '--first-byte-timeout', 1000),
    maxCost: maxCost === undefined ? undefined : dollars(maxCost),
    language: options.language ?? readersLanguage(options),
    fresh: options.fresh,
    format: options.format,
    earlier: earlier === undefined ? undefined : await readTextFile(earlier),
    minSeverity: options.minSeverity,
    most: whole(options.most, '--most'),
    failLevel: options.failLevel,
  };
  const named = Object.entries(given).filter(([, value]) => value !== undefined);
  return parseInput(reviewRunRequest, { ...(await requestOf(options, lent)), ...Object.fromEntries(named) });
}

/** People who read Chinese get Chinese findings; what --json prints is the same for all. */
function readersLanguage({ json }: ReviewRunOptions): string | undefined {
  return json !== true && spokenLanguage() === 'zh' ? 'Simplified Chinese' : undefined;
}

function dollars(text: string): number {
  const value = Number(text);
  if (text.trim() !== '' && Number.isFinite(value) && value > 0) return value;
  throw new GalleyError('INVALID_ARGUMENT', '--max-cost: must be a number of dollars above zero.');
}

/** The fields as JSON, or a text whose first line is the title. */
function intentOf(text: string): Intent {
  if (text.trimStart().startsWith('{')) {
    try {
      return parseInput(intentSchema, JSON.parse(text));
    } catch (error) {
      if (!(error instanceof SyntaxError)) throw error;
    }
  }
  const [title = '', ...rest] = text.trim().split('\n');
  const description = rest.join('\n').trim();
  return { title: title.replace(/^#+\s*/, ''), ...(description === '' ? {} : { description }) };
}
