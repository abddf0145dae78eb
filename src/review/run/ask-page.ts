// The conversation about one page: the page, what its reviewer asks for beside it, at last its findings, and a second look at them.
// Every answer is kept as it comes, so that another run goes on where this one ended; the last answer is the one that holds.
import { type ErrorCode, toGalleyError, type Warning } from '../../core/model/error.js';
import type { Meter } from '../../core/model/meter.js';
import type { SealedPrompt } from '../../core/model/press.js';
import type { AskOptions } from '../../models/ask-model.js';
import type { ReviewFinding } from '../findings/finding.js';
import type { FollowUps, NextQuestion } from '../follow-up/follow-ups.js';
import { reviewerVersion } from '../prompt/reviewer-system.js';
import { askReadable, counted, type Failure, type PageLog, type ReadMessage } from './ask-readable.js';
import { answerKey, type KeptAnswers, type KeptReview, keptReview } from './kept-answers.js';
import { lookAgain, type Refuted, type SecondLook } from './look-again.js';
import type { PreparedPage } from './prepare-pages.js';
import type { Reviewer } from './reviewer.js';

export interface PageAnswer extends PageLog {
  /** `kept`: nothing had to be asked; `partial`: some findings may be missing, since the answer ended early. */
  readonly status: 'reviewed' | 'kept' | 'partial' | 'failed';
  readonly findings: readonly ReviewFinding[];
  /** Those a second look did not confirm, with the reason. */
  readonly refuted?: Refuted;
  /** What the page changes and what is risky about it. */
  readonly summary?: string;
  /** Why it failed. */
  readonly code?: ErrorCode;
  /** The same in words, where there are any. */
  readonly why?: string;
}

export interface PageOptions extends Omit<AskOptions, 'kind'> {
  readonly meter: Meter;
  readonly kept: KeptAnswers;
  /** Asks again for what was answered before. */
  readonly fresh: boolean;
  readonly followUps: FollowUps;
  /** Absent where nobody looks again. */
  readonly second?: SecondLook | undefined;
}

interface Step extends KeptReview {
  /** Of everything it depends on. */
  readonly key: string;
  readonly sealed: SealedPrompt;
}

export async function askPage(
  reviewer: Reviewer,
  page: PreparedPage,
  { seal, ...options }: PageOptions & { seal(): SealedPrompt },
): Promise<PageAnswer> {
  const log: PageLog = { runs: [], receipts: [], warnings: [] };
  const talk = { reviewer, page, log, options };
  // What is known and finished needs no page.
  if (page.answer !== undefined && isFinished(page.answer, options)) return answered(page.answer, log);
  const sealed = seal();
  let first: Step;
  if (page.answer !== undefined) first = { ...page.answer, key: page.fingerprint, sealed };
  else {
    const mayAsk = options.followUps.most > 0;
    const message = await ask(talk, sealed, { kind: 'review-page', mayAsk });
    if (message.kind === 'failed') return failed(message, log);
    if (message.kind === 'partial') return partial(message, log);
    first = await keep(talk, page.fingerprint, message);
  }
  const { step, failure } = await followUp(talk, first);
  if (step.isOpen) return failed(failure ?? { code: 'MODEL_ANSWER_INVALID' }, log);
  if (options.second === undefined || step.findings.length === 0) return answered(step, log);
  const refuted = await lookAgain(options.second, { page, log, options, seen: step });
  return { ...answered(step, log), refuted };
}

function isFinished({ requests, findings }: KeptReview, { followUps, second }: PageOptions): boolean {
  const isServed = requests.length === 0 || followUps.most === 0;
  return isServed && (second === undefined || findings.length === 0);
}

interface Talk {
  readonly reviewer: Reviewer;
  readonly page: PreparedPage;
  readonly log: PageLog;
  readonly options: PageOptions;
}

function ask(
  { reviewer, log, options }: Talk,
  sealed: SealedPrompt,
  { kind, mayAsk }: { readonly kind: AskOptions['kind']; readonly mayAsk: boolean },
): Promise<ReadMessage> {
  const { fresh: _, followUps: __, second: ___, ...rest } = options;
  return askReadable(reviewer, sealed, { ...rest, kind, mayAsk, log });
}

/** The reviewer asks, and is answered, so often as it may; what goes wrong leaves the answer before. */
async function followUp(
  talk: Talk,
  first: Step,
): Promise<{ readonly step: Step; readonly failure?: Failure }> {
  const { page, log, options } = talk;
  const { followUps } = options;
  let step = first;
  let served = 0;
  for (let round = 1; step.requests.length > 0 && round <= followUps.most; round += 1) {
    let next: NextQuestion | undefined;
    try {
      next = await followUps.next(page, step, { round, served });
    } catch (error) {
      const failure = { code: toGalleyError(error).code };
      log.warnings.push(followUpFailed(failure));
      return { step, failure };
    }
    if (next === undefined) break;
    served += next.served;
    const key = answerKey([reviewerVersion, 'follow-up', step.key, step.text, next.words]);
    const known = options.fresh ? undefined : await options.kept.get(key, keptReview);
    if (known !== undefined) {
      step = { ...known, key, sealed: next.sealed };
      continue;
    }
    const mayAsk = round < followUps.most;
    const message = await ask(talk, next.sealed, { kind: 'review-page-follow-up', mayAsk });
    if (message.kind !== 'answered') {
      const failure =
        message.kind === 'failed' ? message : ({ code: 'MODEL_ANSWER_INVALID' } as const satisfies Failure);
      log.warnings.push(followUpFailed(failure));
      return { step, failure };
    }
    step = await keep(talk, key, message);
  }
  if (step.requests.length > 0 && followUps.most > 0) log.warnings.push(notServed(step.requests.length));
  return { step };
}

const longestText = 200_000;

async function keep(
  { log, options }: Talk,
  key: string,
  { sealed, text, read }: Extract<ReadMessage, { kind: 'answered' }>,
): Promise<Step> {
  const { findings, summary, requests, readable, warnings } = read;
  const said = { ...(summary === undefined ? {} : { summary }), findings: [...findings] };
  const answer: KeptReview = {
    ...{ ...said, requests: [...requests], isOpen: !readable },
    // What is longer is sent back as it was understood.
    text: text.length <= longestText ? text.toWellFormed() : JSON.stringify({ ...said, requests }),
  };
  log.warnings.push(...warnings);
  if (!(await options.kept.put(key, answer))) log.warnings.push(notKept);
  return { ...answer, key, sealed };
}

function answered({ findings, summary }: KeptReview, log: PageLog): PageAnswer {
  return {
    status: log.runs.length === 0 ? 'kept' : 'reviewed',
    findings,
    ...(summary === undefined ? {} : { summary }),
    ...log,
  };
}

function partial({ reads }: Extract<ReadMessage, { kind: 'partial' }>, log: PageLog): PageAnswer {
  log.warnings.push(...reads.flatMap(({ warnings }) => warnings));
  const summary = reads.find((read) => read.summary !== undefined)?.summary;
  return {
    status: 'partial',
    findings: reads.flatMap(({ findings }) => findings),
    ...(summary === undefined ? {} : { summary }),
    ...log,
  };
}

function failed({ code, why }: Failure, log: PageLog): PageAnswer {
  return { status: 'failed', findings: [], code, ...(why === undefined ? {} : { why }), ...log };
}

function followUpFailed({ code }: Failure): Warning {
  return counted('FOLLOW_UP_FAILED', `follow-ups that failed (${code}); the answers before them stand`);
}

function notServed(requests: number): Warning {
  return counted(
    'REQUESTS_NOT_SERVED',
    'requests of the reviewer that came too late or found no room',
    requests,
  );
}

const notKept: Warning = {
  code: 'ANSWER_NOT_KEPT',
  message: 'An answer could not be kept; another run asks for its page again.',
};
