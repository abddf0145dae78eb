// A review by a model, from the change to the report. What is finished is kept whatever happens next, and what is missing is said.

import type { Warning } from '../../core/model/error.js';
import type { Meter } from '../../core/model/meter.js';
import { createCountCache, withCountCache } from '../../meters/count-cache.js';
import { loadMeter } from '../../meters/load-meter.js';
import { builtInCatalog, type Catalog, promptCapacity } from '../../models/catalog/catalog.js';
import type { Model, RunRecord, Timeouts } from '../../models/contract/model.js';
import type { ReviewContext } from '../change/open-review.js';
import { type OpenReviewOptions, openReview, type ReviewProgress } from '../change/open-review.js';
import { defaultMeter } from '../change/review-request.js';
import { findingsShape } from '../findings/answer-form.js';
import { type FollowUps, followUpsOf } from '../follow-up/follow-ups.js';
import { requestService } from '../follow-up/serve-requests.js';
import type { PageLimit } from '../pages/page-limits.js';
import { reviewerSystem } from '../prompt/reviewer-system.js';
import { type SetReview, setReview } from '../prompt/set-review.js';
import { readExemptions } from '../report/exemptions.js';
import { longestAgain } from './ask-readable.js';
import { answerKey, answersFolder, type KeptAnswers, keptAnswers, keptPlacement } from './kept-answers.js';
import { type PlannedFiles, planFiles } from './plan-files.js';
import {
  type Estimate,
  estimateOf,
  type PreparedReview,
  preparePages,
  runWarnings,
} from './prepare-pages.js';
import type { DryRun, ReviewRun } from './result-of-run.js';
import { dryRunOf, type RunState, resultOfRun } from './result-of-run.js';
import { allFailed, cancelledReview, type PageOutcome, reviewPages } from './review-pages.js';
import { ceilingAfter, type Reviewer, reviewerOf } from './reviewer.js';
import type { ReviewRunRequest } from './run-request.js';

export interface RunContext extends OpenReviewOptions {
  readonly signal: AbortSignal;
  model(name?: string): Promise<Model>;
  /** Prices; the built-in ones when left out. */
  readonly catalog?: Catalog | undefined;
  /** A folder for the answers that are kept; the git directory when left out. */
  readonly answers?: string | undefined;
  /** Before the first call. */
  onEstimate?(estimate: Estimate): void;
  onProgress?(progress: ReviewProgress<'review'>): void;
  /** How long a model may take to end after it was told to. */
  readonly graceMs?: number | undefined;
}

/** Of a page for a model whose window nobody knows. */
const pageTokensOfUnknownModel = 119_808;

export async function runReview(request: ReviewRunRequest, context: RunContext): Promise<ReviewRun | DryRun> {
  const { signal, folder } = context;
  const { catalog = builtInCatalog } = context;
  // Refuses before anything is read when there is no such model, or none that can keep to the ceiling.
  const reviewers = request.dryRun ? undefined : await reviewersFor(request, context);
  const model = reviewers?.model ?? (await namedModel(request, context));
  return openReview(request, { folder, signal }, async (opened) => {
    // A file that cannot be read is better told before anything is paid.
    const exempt = await readExemptions(opened);
    const open = await setUpReview(opened, request, {
      ...context,
      catalog,
      model,
      planner: reviewers?.planner,
    });
    const { set, review, kept, meter, timeouts, name, followUps } = open;
    try {
      context.onEstimate?.(open.estimate);
      const state: RunState = { opened, exempt, ...open, isPlannerAsked: reviewers?.planner !== undefined };
      if (reviewers === undefined) return dryRunOf(state);
      const outcomes = await reviewPages(review, {
        ...{ kept, meter, timeouts, signal, followUps },
        fresh: request.fresh,
        reviewer: reviewers.reviewer(open.plan.run),
        concurrency: request.concurrency,
        maxOutputTokens: request.maxOutputTokens,
        onOutcome: progressOf(review, context),
      });
      await keepPlacement(kept, placementKey(opened, name), review);
      await kept.tidy();
      if (signal.aborted) throw cancelledReview(outcomes);
      const failure = allFailed(outcomes);
      if (failure !== undefined) throw failure;
      return await resultOfRun(state, outcomes, { request, model: name });
    } finally {
      set.close();
    }
  });
}

/** What a review of a change would send, without a model and without the texts. */
export async function previewReview<Result>(
  request: ReviewRunRequest,
  context: OpenReviewOptions & { readonly catalog?: Catalog | undefined },
  work: (preview: SetUpReview & { readonly room: ReviewContext }) => Promise<Result>,
): Promise<Result> {
  return openReview(request, context, async (opened) => {
    const { folder, catalog = builtInCatalog, signal = new AbortController().signal } = context;
    const open = await setUpReview(opened, request, { folder, signal, catalog });
    try {
      return await work({ ...open, room: opened });
    } finally {
      open.set.close();
    }
  });
}

interface SetUpReview {
  readonly plan: PlannedFiles;
  readonly set: SetReview;
  readonly review: PreparedReview;
  readonly estimate: Estimate;
  readonly warnings: readonly Warning[];
  readonly kept: KeptAnswers;
  readonly meter: Meter;
  readonly timeouts: Timeouts;
  readonly followUps: FollowUps;
  /** Of the model; empty where none is named. */
  readonly name: string;
}

interface SetUpOptions {
  readonly folder: string;
  readonly answers?: string | undefined;
  readonly signal: AbortSignal;
  readonly catalog: Catalog;
  readonly model?: Model | undefined;
  readonly planner?: Reviewer | undefined;
}

/** Everything up to the first call: planned, set, weighed. */
async function setUpReview(
  opened: ReviewContext,
  request: ReviewRunRequest,
  options: SetUpOptions,
): Promise<SetUpReview> {
  const { folder, signal, catalog, model, planner } = options;
  const kept = keptAnswers(await answersFolder(opened.repository, options.answers));
  const meter = withCountCache(await loadMeter(opened.request.meter ?? defaultMeter), createCountCache());
  const timeouts = { totalMs: request.timeoutMs, firstByteMs: request.firstByteTimeoutMs };
  const { fresh } = request;
  const plan = await planFiles(
    opened,
    planner === undefined
      ? undefined
      : { reviewer: planner, options: { kept, meter, timeouts, signal, fresh } },
  );
  const name = model?.id ?? request.model ?? '';
  const most = mostFollowUps(request, opened, name);
  const asks = most > 0;
  const system = reviewerSystem({ language: request.language, asks });
  const answer = await model?.answerForm?.(findingsShape({ asks }));
  const asked = opened.request.maxPromptTokens ?? Number.POSITIVE_INFINITY;
  const output = { meter: meter.id, catalog, maxOutputTokens: request.maxOutputTokens };
  const window = name === '' ? undefined : promptCapacity(name, output);
  const limit = Math.min(asked, window ?? (Number.isFinite(asked) ? asked : pageTokensOfUnknownModel));
  const again = Math.ceil(meter.weigh(longestAgain) / meter.scale) + 1;
  const stood = fresh ? undefined : await kept.get(placementKey(opened, name), keptPlacement);
  const set = await setReview(opened, plan.planned, {
    ...{ folder, meter, system, skipped: plan.skipped },
    placement: {
      systemInPrompt: model?.systemInPrompt?.(system) === true,
      leadingLine: false,
      ...(answer === undefined ? {} : { answer }),
    },
    limit,
    limitedBy: limiting(limit === asked, window),
    again,
    context: request.context,
    intent: request.intent,
    ...(stood === undefined ? {} : { stood: new Map(Object.entries(stood.pages)) }),
  });
  try {
    const review = await preparePages(set, {
      ...{ model: name, system, meter, signal },
      kept: fresh ? undefined : kept,
    });
    const warnings = [...set.warnings, ...plan.warnings, ...runWarnings(review, opened.change)];
    const estimate = estimateOf(review, name, catalog);
    const followUps = followUpsOf({
      ...{ most, meter, again, capacity: window, units: set.units },
      tokens: request.followUpTokens ?? opened.config.followUpTokens,
      files: plan.planned?.files ?? [],
      serve: requestService(opened, plan.planned, meter),
      turns: model?.takesTurns === true,
      isContinued: false,
    });
    return { plan, set, review, estimate, warnings, kept, meter, timeouts, name, followUps };
  } catch (error) {
    set.close();
    throw error;
  }
}

/** An agent CLI forgets what it was told, and reads all of it again: it is asked twice only where somebody wants it. */
function mostFollowUps({ followUps }: ReviewRunRequest, { config }: ReviewContext, model: string): number {
  return followUps ?? config.followUps ?? (model.startsWith('cli/') ? 0 : 1);
}

function limiting(isAsked: boolean, window: number | undefined): PageLimit['limitedBy'] {
  if (isAsked) return 'maxPromptTokens';
  return window === undefined ? 'a page for a model whose window nobody knows' : 'the window of the model';
}

/** A dry run needs no model; where one is named and can be had, the run shows what that very model would get. */
async function namedModel({ model }: ReviewRunRequest, context: RunContext): Promise<Model | undefined> {
  if (model === undefined) return undefined;
  return context.model(model).catch(() => undefined);
}

/** Files keep their pages from run to run of one change, by one model. */
function placementKey({ change, request }: ReviewContext, model: string): string {
  const { mode, baseCommit, oldTree } = change;
  return answerKey([
    'placement',
    model,
    mode,
    baseCommit ?? oldTree,
    request.maxChunkTokens ?? 0,
    request.meter ?? '',
    ...(request.paths ?? []),
  ]);
}

async function keepPlacement(kept: KeptAnswers, key: string, { pages }: PreparedReview): Promise<void> {
  const places = pages.flatMap(({ index, pieces }) =>
    pieces.filter(({ parts }) => parts === 1).map(({ path }) => [path, index - 1] as const),
  );
  if (pages.length > 1) await kept.put(key, { pages: Object.fromEntries(places) });
}

interface Reviewers {
  readonly model: Model;
  readonly planner: Reviewer | undefined;
  /** With what the plan has left of the ceiling. */
  reviewer(plan: RunRecord | undefined): Reviewer;
}

async function reviewersFor(request: ReviewRunRequest, context: RunContext): Promise<Reviewers> {
  const { catalog = builtInCatalog, graceMs } = context;
  const { maxCost: ceiling, planModel, planner } = request;
  const model = await context.model(request.model);
  const same = reviewerOf(model, { catalog, ceiling, graceMs });
  if (planModel === undefined) return { model, planner: planner ? same : undefined, reviewer: () => same };
  const planning = reviewerOf(await context.model(planModel), { catalog, ceiling, graceMs });
  const reviewer = (plan: RunRecord | undefined) =>
    reviewerOf(model, { catalog, ceiling: ceilingAfter(ceiling, plan), graceMs });
  return { model, planner: planning, reviewer };
}

/** Pages that were answered before count, and are not worth a word. */
function progressOf(review: PreparedReview, { onProgress }: RunContext) {
  let done = 0;
  return ({ status }: PageOutcome) => {
    done += 1;
    if (status !== 'kept') onProgress?.({ stage: 'review', done, total: review.pages.length });
  };
}
