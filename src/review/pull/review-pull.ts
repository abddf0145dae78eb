// A pull request reviewed where it lives: read from its host, what is new since the last time reviewed, and the result posted there
// if that was asked for.
import type { Warning } from '../../core/model/error.js';
import { galleyVersion } from '../../core/model/version.js';
import type { PullRequest } from '../../forges/forge.js';
import { isReadBefore } from '../change/omission.js';
import type { ReviewFinding } from '../findings/finding.js';
import { readReport, writeJson } from '../report/json-report.js';
import { buildReport, failsAt, type Report, type ReportedFinding } from '../report/report.js';
import { reportLanguageOf } from '../report/report-words.js';
import { writeReport } from '../report/write-report.js';
import type { DryRun, ReviewRun } from '../run/result-of-run.js';
import { type RunContext, runReview } from '../run/run-review.js';
import { pausedBy } from './commands.js';
import { linePlaces } from './line-places.js';
import { type OpenPull, openPull, type PullContext } from './open-pull.js';
import { checkName } from './plan-posting.js';
import { type PostedReview, postReview } from './post-review.js';
import { withPullChange } from './pull-change.js';
import type { PullReviewRequest } from './pull-requests.js';
import { standingOf, threadsByFinding } from './pull-standing.js';
import { pullWords } from './pull-words.js';
import { mayPush } from './rightful-standing.js';

export interface PullFacts {
  readonly number: number;
  readonly url: string;
  readonly base: string;
  readonly head: string;
  readonly isFork: boolean;
  readonly state: PullRequest['state'];
}

export interface PullReview {
  readonly pull: PullFacts;
  /** The head that was reviewed before, where only what is new since then was read. */
  readonly since?: string;
  /** In the format that was asked for; empty for a dry run. */
  readonly report: string;
  /** Absent where nothing is new. */
  readonly review?: ReviewRun | DryRun;
  readonly posted?: PostedReview;
  /** A finding on the change reaches the level that was asked for, of today or still open. */
  readonly fails: boolean;
  readonly complete: boolean;
  readonly warnings: readonly Warning[];
}

export async function reviewPull(
  request: PullReviewRequest,
  context: PullContext & RunContext,
): Promise<PullReview> {
  const opened = await openPull(request, context);
  const { forge, state } = opened;
  const { pull } = state;
  const { post, key } = request;
  const paused =
    request.evenPaused || !post ? undefined : await pausedBy(state, (login) => mayPush(forge, login, false));
  if (paused !== undefined) return pausedReview(opened, request);
  // A name that is wrong is told also where nothing is new.
  if (request.model !== undefined && !request.dryRun) await context.model(request.model);
  const since = reviewedHead(opened, request);
  return withPullChange(opened, { request, context, since }, async ({ facts: change, ...asked }) => {
    // For what will not be posted nobody is asked.
    const isWanted = !post || pull.state === 'open';
    const isNew = isWanted && (change.unchanged.length < change.patches.length || since === undefined);
    const run = !isNew
      ? undefined
      : await runReview(
          {
            ...asked.request,
            verify: request.verify ?? post,
            format: 'json',
            earlier: writeJson(reportOf(opened.standing.earlier)),
            ...(change.unchanged.length === 0 ? {} : { reviewedBefore: [...change.unchanged] }),
          },
          asked.context,
        );
    const facts = { pull: factsOf(pull), ...(since === undefined ? {} : { since }) };
    if (run?.dryRun === true)
      return { ...facts, report: '', review: run, fails: false, complete: true, warnings: run.warnings };
    const report =
      run === undefined
        ? { ...reportOf(opened.standing.earlier), complete: opened.standing.state?.complete ?? true }
        : { ...readReport(run.report, 'report'), coverage: run.coverageTold };
    const told = run === undefined ? withOpen(report, opened) : report;
    const language = reportLanguageOf(request.language);
    const posted =
      post && !request.dryRun && pull.state === 'open'
        ? await postReview(report, {
            ...{ forge: opened.forge, number: opened.number, key, language },
            head: pull.head.commit,
            places: linePlaces(change.patches),
            failLevel: request.failLevel,
            read: readOf(run, change.patches.length),
          })
        : undefined;
    return {
      ...facts,
      report: writeReport(told, request.format, { language }),
      ...(run === undefined ? {} : { review: run }),
      ...(posted === undefined ? {} : { posted }),
      fails: posted?.fails ?? failsAt(told, request.failLevel),
      complete: report.complete,
      warnings: [...(run?.warnings ?? []), ...(posted?.warnings ?? []), ...notOpen(request, pull)],
    };
  });
}

/** Somebody who may push has asked for a pause. */
async function pausedReview(
  opened: OpenPull,
  { failLevel, key, language }: PullReviewRequest,
): Promise<PullReview> {
  const told = withOpen(reportOf(opened.standing.earlier), opened);
  const { forge, state } = opened;
  const title = pullWords(reportLanguageOf(language)).paused;
  await forge
    .setCheck(state.pull.head.commit, {
      ...{ name: checkName(key), conclusion: 'neutral', title, summary: title, annotations: [] },
    })
    .catch(() => undefined);
  return {
    pull: factsOf(opened.state.pull),
    report: '',
    fails: failsAt(told, failLevel),
    complete: true,
    warnings: [
      {
        code: 'PULL_PAUSED',
        message:
          'Reviews of this pull request are paused; `@galley resume` in a comment goes on, `galley pr review --even-paused` reviews it now.',
      },
    ],
  };
}

/** Only where everything was read up to that head; what is missing has to be read again. */
function reviewedHead({ standing }: OpenPull, request: PullReviewRequest): string | undefined {
  if (request.everything || request.fresh || standing.state?.complete !== true) return undefined;
  return standing.state.head;
}

/** Findings as a report that says nothing else. */
function reportOf(earlier: OpenPull['standing']['earlier']): Report {
  const nothing = buildReport([], { tool: { name: 'galley', version: galleyVersion }, patches: [] });
  return { ...nothing, unchecked: earlier };
}

/** Where nothing is new, what is there is what is still open. */
function withOpen(report: Report, { standing }: OpenPull): Report {
  const threads = threadsByFinding(standing);
  const gone = new Set(standing.state?.gone);
  const isOpen = ({ id }: ReviewFinding) =>
    !gone.has(id) && ['open', 'answered'].includes(standingOf(threads.get(id)));
  const findings = standing.earlier.filter(isOpen).map(
    (finding): ReportedFinding => ({
      finding,
      place: threads.has(finding.id)
        ? { kind: 'anchored', by: 'given' }
        : { kind: 'summary', reason: 'outside-hunks' },
      standing: 'still-there',
    }),
  );
  const { coverage } = standing.state ?? {};
  return { ...report, findings, unchecked: [], ...(coverage === undefined ? {} : { coverage }) };
}

function factsOf({ number, url, base, head, isFork, state }: PullRequest): PullFacts {
  return { number, url, base: base.commit, head: head.commit, isFork, state };
}

/** Files that were read, now or before, of all that changed. */
function readOf(run: ReviewRun | undefined, changed: number): { files: number; of: number } | undefined {
  if (run === undefined) return undefined;
  const unread = new Set([
    ...run.omitted
      .filter((omission) => !isReadBefore(omission) && omission.partial !== true)
      .map(({ path }) => path),
    ...run.missing.flatMap(({ files }) => files),
  ]);
  return { files: changed - unread.size, of: changed };
}

function notOpen({ post }: PullReviewRequest, { state }: PullRequest): Warning[] {
  if (!post || state === 'open') return [];
  return [{ code: 'PULL_NOT_OPEN', message: `The pull request is ${state}; nothing was posted.` }];
}
