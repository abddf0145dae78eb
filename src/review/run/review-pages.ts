// Asks for every page that has no answer yet, a few at a time. The first goes ahead alone until the model begins to speak, so that
// the others find the shared text in its cache. Every page ends with exactly one outcome.
import PQueue from 'p-queue';
import { type ErrorCode, GalleyError, toGalleyError, type Warning } from '../../core/model/error.js';
import type { Meter } from '../../core/model/meter.js';
import type { SealedPrompt } from '../../core/model/press.js';
import type { Receipt } from '../../core/model/receipt.js';
import type { RunRecord, Timeouts } from '../../models/contract/model.js';
import type { ReviewFinding } from '../findings/finding.js';
import { askPage, type PageAnswer } from './ask-page.js';
import type { KeptAnswers } from './kept-answers.js';
import type { PreparedPage, PreparedReview } from './prepare-pages.js';
import type { Reviewer } from './reviewer.js';

export interface PageOutcome {
  readonly page: PreparedPage;
  /** `kept`: answered by an earlier run; `not-asked`: the run ended before its turn. */
  readonly status: 'reviewed' | 'kept' | 'partial' | 'failed' | 'not-asked';
  readonly findings: readonly ReviewFinding[];
  readonly warnings: readonly Warning[];
  readonly code?: ErrorCode;
  readonly why?: string;
  readonly runs: readonly RunRecord[];
  /** Of the second question, where one was asked. */
  readonly again?: Receipt;
}

interface AskPagesOptions {
  readonly reviewer: Reviewer;
  readonly meter: Meter;
  readonly kept: KeptAnswers;
  readonly concurrency: number;
  readonly timeouts: Timeouts;
  readonly maxOutputTokens?: number | undefined;
  readonly signal: AbortSignal;
  readonly onOutcome?: ((outcome: PageOutcome) => void) | undefined;
}

/** A model that fails this often in a row will fail the next time too. */
const maxFailuresInARow = 10;
/** Pages that go ahead one by one while none of them is answered. */
const maxAlone = 2;
/** After these there is nothing to be had from further calls. */
const endings: ReadonlySet<ErrorCode> = new Set([
  'CANCELLED',
  'COST_CEILING_REACHED',
  'MODEL_NOT_CONFIGURED',
]);

export async function reviewPages(review: PreparedReview, options: AskPagesOptions): Promise<PageOutcome[]> {
  const outcomes = new Map<number, PageOutcome>();
  let failures = 0;
  let ended: ErrorCode | undefined;
  const settle = (outcome: PageOutcome) => {
    outcomes.set(outcome.page.index, outcome);
    options.onOutcome?.(outcome);
  };
  const ask = async (page: PreparedPage, warmUp?: () => void): Promise<void> => {
    if (options.signal.aborted) ended = 'CANCELLED';
    if (ended !== undefined)
      return settle({ page, status: 'not-asked', findings: [], warnings: [], runs: [], code: ended });
    const answer = await answerOf(page, review, { options, warmUp });
    failures = answer.status === 'failed' ? failures + 1 : 0;
    if (answer.code !== undefined && endings.has(answer.code)) ended = answer.code;
    else if (failures >= maxFailuresInARow) ended = answer.code ?? 'MODEL_UNAVAILABLE';
    const unkept =
      answer.status === 'reviewed' &&
      !(await options.kept.put(page.fingerprint, { findings: answer.findings }));
    const { status, findings, code, why } = answer;
    const warnings = unkept ? [...answer.warnings, notKept] : answer.warnings;
    const runs = answer.runs.length === 0 ? [unanswered(page, options.reviewer.model.id)] : answer.runs;
    settle({
      ...{ page, status, findings, warnings, runs },
      ...(answer.again === undefined ? {} : { again: answer.again }),
      ...(code === undefined ? {} : { code }),
      ...(why === undefined ? {} : { why }),
    });
  };
  for (const page of review.pages)
    if (page.findings !== undefined)
      settle({ page, status: 'kept', findings: page.findings, warnings: [], runs: [] });
  const waiting = review.pages.filter(({ findings }) => findings === undefined);
  const queue = new PQueue({ concurrency: options.concurrency });
  let spoken = false;
  for (let alone = 0; alone < maxAlone && !spoken && waiting.length > 0; alone += 1) {
    const page = waiting.shift()!;
    await new Promise<void>((resolve) => {
      const speak = () => {
        spoken = true;
        resolve();
      };
      void queue.add(() => ask(page, speak)).then(resolve);
    });
    if (outcomes.get(page.index)?.status === 'reviewed') spoken = true;
  }
  for (const page of waiting) void queue.add(() => ask(page));
  await queue.onIdle();
  return review.pages.map(({ index }) => outcomes.get(index)!);
}

interface Turn {
  readonly options: AskPagesOptions;
  readonly warmUp: (() => void) | undefined;
}

async function answerOf(
  page: PreparedPage,
  review: PreparedReview,
  { options, warmUp }: Turn,
): Promise<PageAnswer> {
  const { timeouts, signal, meter, maxOutputTokens } = options;
  let sealed: SealedPrompt;
  try {
    sealed = review.seal(page);
  } catch (error) {
    return { status: 'failed', findings: [], warnings: [], code: toGalleyError(error).code, runs: [] };
  }
  return askPage(options.reviewer, sealed, {
    ...{ page: page.index, timeouts, meter, maxOutputTokens, signal },
    // Nobody reads the words as they come, so calls may be made again after some have come.
    ...(warmUp === undefined ? {} : { onText: warmUp, onRetry: () => {} }),
  });
}

const notKept: Warning = {
  code: 'ANSWER_NOT_KEPT',
  message: 'An answer could not be kept; another run asks for its page again.',
};

/** A call that came to nothing: what it cost is not known. */
function unanswered({ index, tokens, receipt }: PreparedPage, model: string): RunRecord {
  const foreseen = { inputTokens: tokens, cachedInputTokens: 0 };
  return { kind: 'review-page', receipt, model, page: index, foreseen, attempts: 1 };
}

/** For failures that came without words. */
const causes: Partial<Record<ErrorCode, string>> = {
  MODEL_UNAVAILABLE: 'the model could not be reached or failed; try again later or name another',
  MODEL_ANSWER_INVALID: 'no answer could be read; try a model that keeps to a form',
};

/** The failure most pages share, when no page has an answer. */
export function allFailed(outcomes: readonly PageOutcome[]): GalleyError | undefined {
  const failed = outcomes.filter(({ status }) => status === 'failed' || status === 'not-asked');
  if (outcomes.length === 0 || failed.length < outcomes.length) return undefined;
  const counts = new Map<ErrorCode, number>();
  for (const { code = 'MODEL_UNAVAILABLE', status } of failed)
    if (status === 'failed') counts.set(code, (counts.get(code) ?? 0) + 1);
  const [code] = [...counts].sort((left, right) => right[1] - left[1])[0] ?? ['MODEL_UNAVAILABLE' as const];
  const said = failed.find((outcome) => outcome.code === code)?.why;
  const why = said ?? `${causes[code] ?? 'every call failed'}.`;
  return new GalleyError(code, `No page of ${outcomes.length} was reviewed: ${why}`, {
    details: { pages: outcomes.length, failed: failed.length },
  });
}

export function cancelledReview(outcomes: readonly PageOutcome[]): GalleyError {
  const finished = outcomes.filter(({ status }) => status === 'reviewed' || status === 'kept').length;
  return new GalleyError(
    'CANCELLED',
    `The review was cancelled; ${finished} of ${outcomes.length} pages are finished and kept, and another run goes on from there.`,
    { details: { finished, pages: outcomes.length } },
  );
}
