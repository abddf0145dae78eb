// A review by a model, from the change to the report. What is finished is kept whatever happens next, and what is missing is said.
import type { RunRecord } from '../../core/model/run-record.js';
import { loadMeter } from '../../meters/load-meter.js';
import { builtInCatalog, type Catalog } from '../../models/catalog/catalog.js';
import type { Model } from '../../models/model.js';
import { type ReviewContext, withReview } from '../changes/review-room.js';
import { defaultMeter } from '../pages/page-set.js';
import { type Estimate, estimateOf } from './estimate.js';
import { keptAnswers } from './kept-answers.js';
import { planFiles } from './plan-files.js';
import { type PreparedReview, preparePages } from './prepare-pages.js';
import { dryRunOf, type RunSheet, resultOf } from './result-of-run.js';
import { type PageOutcome, reviewPages } from './review-pages.js';
import { ceilingAfter, type Reviewer, reviewerOf } from './reviewer.js';
import { allFailed, cancelled } from './run-failure.js';
import type { ReviewRunRequest } from './run-request.js';
import type { DryRun, ReviewRun } from './run-result.js';
import { runWarnings } from './run-warnings.js';
import { surveyPages } from './survey-pages.js';

export interface RunContext extends ReviewContext {
  readonly signal: AbortSignal;
  model(name?: string): Promise<Model>;
  /** Prices; the built-in ones when left out. */
  readonly catalog?: Catalog | undefined;
  /** Before the first call. */
  onEstimate?(estimate: Estimate): void;
  onProgress?(progress: { readonly stage: string; readonly done: number; readonly total: number }): void;
  /** How long a model may take to end after it was told to. */
  readonly graceMs?: number | undefined;
}

export async function runReview(request: ReviewRunRequest, context: RunContext): Promise<ReviewRun | DryRun> {
  const { signal, folder } = context;
  const { catalog = builtInCatalog } = context;
  // Refuses before anything is read when there is no such model, or none that can keep to the ceiling.
  const reviewers = request.dryRun ? undefined : await reviewersFor(request, context);
  return withReview(request, { folder, signal }, async (room) => {
    const kept = keptAnswers(room.repository.gitDirectory);
    const meter = await loadMeter(room.request.meter ?? defaultMeter);
    const timeouts = { totalMs: request.timeoutMs, firstByteMs: request.firstByteTimeoutMs };
    const { fresh } = request;
    const planned =
      reviewers?.planner &&
      (await planFiles(room, reviewers.planner, { kept, meter, timeouts, signal, fresh }));
    const survey = await surveyPages(request, { folder, signal });
    try {
      const model = reviewers?.id ?? request.model ?? '';
      const review = await preparePages(survey, {
        ...{ model, meter, signal },
        language: request.language,
        skipped: planned?.skipped,
        kept: fresh ? undefined : kept,
      });
      const estimate = estimateOf(review, model, catalog);
      context.onEstimate?.(estimate);
      const warnings = [
        ...survey.warnings,
        ...(planned?.warnings ?? []),
        ...runWarnings(review, room.change),
      ];
      const sheet: RunSheet = { room, survey, review, planned, estimate, warnings };
      if (reviewers === undefined) return await dryRunOf(sheet);
      const outcomes = await reviewPages(review, {
        ...{ kept, timeouts, signal },
        reviewer: reviewers.reviewer(planned?.run),
        concurrency: request.concurrency,
        maxOutputTokens: request.maxOutputTokens,
        onOutcome: progressOf(review, context),
      });
      await kept.tidy();
      if (signal.aborted) throw cancelled(outcomes);
      const failure = allFailed(outcomes);
      if (failure !== undefined) throw failure;
      return await resultOf(sheet, outcomes, { request, model });
    } finally {
      await survey.close();
    }
  });
}

interface Reviewers {
  readonly id: string;
  readonly planner: Reviewer | undefined;
  /** With what the plan has left of the ceiling. */
  reviewer(plan: RunRecord | undefined): Reviewer;
}

async function reviewersFor(request: ReviewRunRequest, context: RunContext): Promise<Reviewers> {
  const { catalog = builtInCatalog, graceMs } = context;
  const { maxCost: ceiling, planModel, planner } = request;
  const model = await context.model(request.model);
  const same = reviewerOf(model, { catalog, ceiling, graceMs });
  if (planModel === undefined)
    return { id: model.id, planner: planner ? same : undefined, reviewer: () => same };
  const planning = reviewerOf(await context.model(planModel), { catalog, ceiling, graceMs });
  const reviewer = (plan: RunRecord | undefined) =>
    reviewerOf(model, { catalog, ceiling: ceilingAfter(ceiling, plan), graceMs });
  return { id: model.id, planner: planning, reviewer };
}

/** Pages that were answered before count, and are not worth a word. */
function progressOf(review: PreparedReview, { onProgress }: RunContext) {
  let done = 0;
  return ({ status }: PageOutcome) => {
    done += 1;
    if (status !== 'kept') onProgress?.({ stage: 'review', done, total: review.pages.length });
  };
}
