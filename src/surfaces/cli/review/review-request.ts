// The options of galley review as a request.
import { resolve } from 'node:path';
import { GalleyError } from '../../../core/model/error.js';
import { parseInput } from '../../../core/model/input.js';
import type { LentRepository } from '../../../git/repository/open-repository.js';
import { meterIds } from '../../../meters/load-meter.js';
import { linterFormats, type ReviewRequest, reviewRequest } from '../../../review/change/review-request.js';
import { usualChange, usualChangeOf } from '../../../review/change/usual-change.js';
import { type Intent, intentSchema } from '../../../review/prompt/intent.js';
import { type ReviewRunRequest, reviewRunRequest } from '../../../review/run/run-request.js';
import { didYouMean, readTextFile, wholeNumber } from '../shell/read-input.js';
import { spokenLanguage } from '../words/word.js';

export interface ReviewOptions {
  readonly repo: string;
  readonly base?: string;
  readonly head?: string;
  readonly commit?: string;
  readonly staged?: boolean;
  readonly working?: boolean;
  /** What stands behind `--`. */
  readonly paths?: readonly string[];
  readonly maxChunk?: string;
  readonly budget?: string;
  readonly maxRules?: string;
  readonly maxPages?: string;
  readonly wholeData?: boolean;
  readonly context?: string;
  readonly skill?: string;
  readonly linter: readonly string[];
  readonly meter?: string;
  readonly price: string;
  readonly out?: string;
  readonly json?: boolean;
  /** False to leave secrets in what is printed or written. */
  readonly redact?: boolean;
  /** All of it, or one path or unit. */
  readonly explain?: boolean | string;
  readonly level?: string;
  readonly failOnPartial?: boolean;
  /** Shows it in the browser. */
  readonly open?: boolean;
  /** False where the address is only printed. */
  readonly browser?: boolean;
  /** The file to write it into, to be opened from disk. */
  readonly html?: string;
}

/** Looks for the usual change in the repository that is lent, if one is. */
export async function requestOf(options: ReviewOptions, lent?: LentRepository): Promise<ReviewRequest> {
  if (options.meter !== undefined) checkMeter(options.meter);
  const number = (field: string, flag: string, text: string | undefined) =>
    text === undefined ? {} : { [field]: wholeNumber(text, flag, 1) };
  return parseInput(reviewRequest, {
    repo: options.repo,
    ...(await changeOf(options, lent)),
    ...(options.paths === undefined ? {} : { paths: options.paths }),
    ...number('maxChunkTokens', '--max-chunk', options.maxChunk),
    ...number('maxPromptTokens', '--budget', options.budget),
    ...number('maxRuleTokens', '--max-rules', options.maxRules),
    ...number('maxPages', '--max-pages', options.maxPages),
    ...(options.wholeData ? { wholeData: true } : {}),
    ...(options.skill === undefined ? {} : { skill: options.skill }),
    ...(options.linter.length === 0 ? {} : { linter: options.linter.map(linterOf) }),
    ...(options.meter === undefined ? {} : { meter: options.meter }),
  });
}

/** The change that is named, as the page has it in its address; undefined where none is. */
export async function namedChange(options: ReviewOptions): Promise<object | undefined> {
  const { base, head, commit, staged, working, paths } = options;
  if ((base ?? head ?? commit ?? staged ?? working ?? paths) === undefined) return undefined;
  return { ...(await changeOf(options, undefined)), ...(paths === undefined ? {} : { paths }) };
}

async function changeOf(options: ReviewOptions, lent: LentRepository | undefined): Promise<object> {
  const { base, head, commit, staged, working } = options;
  const wishes = [
    staged && '--staged',
    working && '--working',
    commit && '--commit',
    (base ?? head) && '--base',
  ];
  const given = wishes.filter(Boolean);
  if (given.length > 1)
    throw new GalleyError('INVALID_ARGUMENT', `${given.join(' and ')} exclude each other; keep one.`);
  if (staged) return { mode: 'staged' };
  if (working) return { mode: 'working' };
  if (commit !== undefined) return { mode: 'commit', commit };
  if (base === undefined && head === undefined)
    return lent === undefined ? usualChange(resolve(options.repo)) : usualChangeOf(await lent.open());
  return { mode: 'pr', ...(base === undefined ? {} : { base }), ...(head === undefined ? {} : { head }) };
}

function checkMeter(meter: string): void {
  if (meterIds.includes(meter)) return;
  const known = `--meter: unknown; use one of ${meterIds.join(', ')}${didYouMean(meter, meterIds)}`;
  throw new GalleyError('INVALID_ARGUMENT', known, { details: { field: 'meter' } });
}

function linterOf(text: string): { format: string; path: string } {
  const colon = text.indexOf(':');
  const format = text.slice(0, Math.max(0, colon));
  if (linterFormats.some((known) => known === format)) return { format, path: text.slice(colon + 1) };
  const formats = `${linterFormats.join(', ')}${didYouMean(format, linterFormats)}`;
  throw new GalleyError(
    'INVALID_ARGUMENT',
    `--linter: write format:file, with one of the formats ${formats}`,
    {
      details: { field: 'linter' },
    },
  );
}

/** A number of tokens, `plan` or `none`; undefined for the usual. */
export function contextWishOf(text: string | undefined): number | 'plan' | 'none' | undefined {
  if (text === undefined || text === 'plan' || text === 'none') return text;
  try {
    return wholeNumber(text, '--context', 1);
  } catch (cause) {
    const message = '--context: must be a whole number, 1 or more, or plan or none.';
    throw new GalleyError('INVALID_ARGUMENT', message, { details: { field: '--context' }, cause });
  }
}

export interface ReviewRunOptions extends ReviewOptions {
  readonly model?: string;
  readonly intent?: string;
  readonly dryRun?: boolean;
  readonly plan?: boolean;
  readonly planModel?: string;
  readonly followUps?: string;
  readonly followUpTokens?: string;
  readonly verify?: boolean;
  readonly verifyModel?: string;
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

/** As a request for a review by a model. */
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
    followUps:
      options.followUps === undefined ? undefined : wholeNumber(options.followUps, '--follow-ups', 0),
    followUpTokens: whole(options.followUpTokens, '--follow-up-tokens'),
    verify: options.verify,
    verifyModel: options.verifyModel,
    concurrency: whole(options.concurrency, '--concurrency'),
    maxOutputTokens: whole(options.maxOutput, '--max-output'),
    timeoutMs: whole(options.timeout, '--timeout', 1000),
    firstByteTimeoutMs: whole(options.firstByteTimeout, '--first-byte-timeout', 1000),
    maxCost: maxCost === undefined ? undefined : dollarsOf(maxCost),
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

export function dollarsOf(text: string, name = '--max-cost'): number {
  const value = Number(text);
  if (text.trim() !== '' && Number.isFinite(value) && value > 0) return value;
  throw new GalleyError('INVALID_ARGUMENT', `${name}: must be a number of dollars above zero.`);
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
