// A review by a model, from the change to the report. What is finished is kept whatever happens next, and what is missing is said.

import { builtInCatalog, type Catalog } from '../../models/catalog/catalog.js';
import { createCostBudget } from '../../models/catalog/with-ceiling.js';
import type { Model } from '../../models/contract/model.js';
import type { ReviewContext } from '../change/open-review.js';
import { type OpenReviewOptions, openReview, type ReviewProgress } from '../change/open-review.js';
import { readExemptions } from '../report/exemptions.js';
import type { KeepReceipt } from './kept-answers.js';
import { type PreparedReview, secondLooksAt, type ToldEstimate } from './prepare-pages.js';
import type { DryRun, ReviewRun } from './result-of-run.js';
import { dryRunOf, type RunState, resultOfRun } from './result-of-run.js';
import { allFailed, cancelledReview, type PageNews, type PageOutcome, reviewPages } from './review-pages.js';
import { type Reviewer, reviewerOf } from './reviewer.js';
import type { ReviewRunRequest } from './run-request.js';
import { keepPlacement, placementKey, type SetUpReview, setUpReview } from './set-up-review.js';

export interface RunContext extends OpenReviewOptions {
  readonly signal: AbortSignal;
  model(name?: string): Promise<Model>;
  /** Prices; the built-in ones when left out. */
  readonly catalog?: Catalog | undefined;
  /** A folder for the answers that are kept; the git directory when left out. */
  readonly answers?: string | undefined;
  /** What was sent is told to it, call by call. */
  readonly keepReceipt?: KeepReceipt | undefined;
  /** Before the first call. */
  onEstimate?(estimate: ToldEstimate): void;
  onProgress?(progress: ReviewProgress<'review'> & { readonly pages?: readonly PageNews[] }): void;
  /** How long a model may take to end after it was told to. */
  readonly graceMs?: number | undefined;
}

export async function runReview(request: ReviewRunRequest, context: RunContext): Promise<ReviewRun | DryRun> {
  const { signal, folder } = context;
  const { catalog = builtInCatalog } = context;
  // Refuses before anything is read when there is no such model, or none that can keep to the ceiling.
  const reviewers = request.dryRun ? undefined : await reviewersFor(request, context);
  const model = reviewers?.model ?? (await namedModel(request, context));
  return openReview(request, { folder, signal, tickets: context.tickets }, async (opened) => {
    // A file that cannot be read is better told before anything is paid.
    const exempt = await readExemptions(opened);
    const open = await setUpReview(opened, request, {
      ...context,
      catalog,
      model,
      ...{ planner: reviewers?.planner, verifier: reviewers?.verifier?.model },
    });
    const { set, review, kept, meter, timeouts, name, followUps, verification } = open;
    try {
      const secondLooks = verification === undefined ? 0 : secondLooksAt(review);
      context.onEstimate?.({ ...open.estimate, ...(secondLooks === 0 ? {} : { secondLooks }) });
      const state: RunState = { opened, exempt, ...open, isPlannerAsked: reviewers?.planner !== undefined };
      if (reviewers === undefined) return dryRunOf(state);
      const outcomes = await reviewPages(review, {
        ...{ kept, meter, timeouts, signal, followUps },
        fresh: request.fresh,
        reviewer: reviewers.reviewer,
        ...(verification === undefined || reviewers.verifier === undefined
          ? {}
          : { second: { verification, reviewer: reviewers.verifier } }),
        concurrency: request.concurrency,
        maxOutputTokens: request.maxOutputTokens,
        onOutcome: progressOf(review, exempt, context),
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

/** A dry run needs no model; where one is named and can be had, the run shows what that very model would get. */
async function namedModel({ model }: ReviewRunRequest, context: RunContext): Promise<Model | undefined> {
  if (model === undefined) return undefined;
  return context.model(model).catch(() => undefined);
}

interface Reviewers {
  readonly model: Model;
  readonly reviewer: Reviewer;
  readonly planner: Reviewer | undefined;
  readonly verifier: Reviewer | undefined;
}

/** All of them keep to one ceiling. */
async function reviewersFor(request: ReviewRunRequest, context: RunContext): Promise<Reviewers> {
  const { catalog = builtInCatalog, graceMs } = context;
  const { maxCost, planModel, planner, verifyModel, verify } = request;
  const ceiling = maxCost === undefined ? undefined : { dollars: maxCost, budget: createCostBudget(maxCost) };
  const reviewerFor = (model: Model) => reviewerOf(model, { catalog, ceiling, graceMs });
  const model = await context.model(request.model);
  const reviewer = reviewerFor(model);
  const other = async (name: string | undefined, isAsked: boolean) => {
    if (name === undefined) return isAsked ? reviewer : undefined;
    const named = await context.model(name);
    return named.id === model.id ? reviewer : reviewerFor(named);
  };
  return {
    ...{ model, reviewer },
    planner: await other(planModel, planner),
    verifier: await other(verifyModel, verify),
  };
}

/** Pages that were answered before count, and are told with the next one that was not. */
function progressOf(review: PreparedReview, exempt: RunState['exempt'], { onProgress }: RunContext) {
  let done = 0;
  let pages: PageNews[] = [];
  return ({ page, status, code, findings, refuted }: PageOutcome) => {
    done += 1;
    const held = new Set(refuted?.keys());
    pages.push({
      ...{ page: page.index, status },
      ...(code === undefined ? {} : { code }),
      findings: findings.filter((finding) => !exempt(finding) && !held.has(finding)),
    });
    if (status === 'kept') return;
    onProgress?.({ stage: 'review', done, total: review.pages.length, pages });
    pages = [];
  };
}
