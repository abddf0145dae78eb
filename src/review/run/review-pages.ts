// Asks for every page that has no answer yet, a few at a time. The first goes ahead alone until the model begins to speak, so that
// the others find the shared text in its cache. Every page ends with exactly one outcome.
import PQueue from 'p-queue';
import { type ErrorCode, GalleyError, toGalleyError } from '../../core/model/error.js';
import { askPage, type PageAnswer, type PageOptions } from './ask-page.js';
import type { PreparedPage, PreparedReview } from './prepare-pages.js';
import type { Reviewer } from './reviewer.js';

export interface PageOutcome extends Omit<PageAnswer, 'status'> {
  readonly page: PreparedPage;
  /** `kept`: answered by an earlier run; `not-asked`: the run ended before its turn. */
  readonly status: PageAnswer['status'] | 'not-asked';
}

/** A page that ended, for those who wait; findings that are alike on several pages are joined at the end only. */
export interface PageNews extends Pick<PageOutcome, 'status' | 'findings'> {
  /** From 1. */
  readonly page: number;
  readonly code?: ErrorCode;
}

interface AskPagesOptions extends Omit<PageOptions, 'onText' | 'onRetry' | 'page'> {
  readonly reviewer: Reviewer;
  readonly concurrency: number;
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
    if (ended !== undefined) return settle(await unasked(page, review, { options, ended }));
    const answer = await answerOf(page, review, { options, warmUp });
    failures = answer.status === 'failed' ? failures + 1 : 0;
    if (answer.code !== undefined && endings.has(answer.code)) ended = answer.code;
    else if (failures >= maxFailuresInARow) ended = answer.code ?? 'MODEL_UNAVAILABLE';
    settle({ page, ...answer });
  };
  const known = review.pages.filter(({ answer }) => answer !== undefined);
  const waiting = review.pages.filter(({ answer }) => answer === undefined);
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
  for (const page of [...known, ...waiting]) void queue.add(() => ask(page));
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
  const { reviewer, concurrency: _, onOutcome: __, ...rest } = options;
  try {
    return await askPage(reviewer, page, {
      ...rest,
      page: page.index,
      seal: () => review.seal(page),
      // Nobody reads the words as they come, so calls may be made again after some have come.
      ...(warmUp === undefined ? {} : { onText: warmUp, onRetry: () => {} }),
    });
  } catch (error) {
    return { ...nothing, status: 'failed', code: toGalleyError(error).code };
  }
}

const nothing = { findings: [], warnings: [], runs: [], receipts: [] };

/** What earlier runs answered stands, with all that came after it; nobody is asked about it any more. */
async function unasked(
  page: PreparedPage,
  review: PreparedReview,
  { options, ended }: { readonly options: AskPagesOptions; readonly ended: ErrorCode },
): Promise<PageOutcome> {
  const missing: PageOutcome = { ...nothing, page, status: 'not-asked', code: ended };
  if (page.answer === undefined) return missing;
  const silent = ({ model }: Reviewer): Reviewer => ({
    model,
    ask: () => Promise.reject(new GalleyError(ended, 'The review has ended.')),
  });
  const second =
    options.second === undefined
      ? undefined
      : { ...options.second, reviewer: silent(options.second.reviewer) };
  const turn = { options: { ...options, reviewer: silent(options.reviewer), second }, warmUp: undefined };
  const answer = await answerOf(page, review, turn);
  if (answer.status === 'failed') return missing;
  return { ...answer, page, status: 'kept', runs: [], receipts: [] };
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
