// A review by a model, from the change to the report. What is finished is kept whatever happens next, and what is missing is said.

import type { Warning } from '../../core/model/error.js';
import type { Meter } from '../../core/model/meter.js';
import { createCountCache, withCountCache } from '../../meters/count-cache.js';
import { loadMeter } from '../../meters/load-meter.js';
import { builtInCatalog, type Catalog, promptCapacity } from '../../models/catalog/catalog.js';
import { createCostBudget } from '../../models/catalog/with-ceiling.js';
import type { Model, Timeouts } from '../../models/contract/model.js';
import type { ReviewContext } from '../change/open-review.js';
import { type OpenReviewOptions, openReview, type ReviewProgress } from '../change/open-review.js';
import { defaultMeter } from '../change/review-request.js';
import { findingsShape } from '../findings/answer-form.js';
import { type CleanTree, cleanTree } from '../follow-up/clean-tree.js';
import { type FollowUps, followUpsOf } from '../follow-up/follow-ups.js';
import { requestService } from '../follow-up/serve-requests.js';
import type { PageLimit } from '../pages/page-limits.js';
import { reviewerSystem } from '../prompt/reviewer-system.js';
import { type SetReview, setReview } from '../prompt/set-review.js';
import { readExemptions } from '../report/exemptions.js';
import { type Verification, verifyAlone, verifyInConversation } from '../verify/verification.js';
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
import { type Reviewer, reviewerOf } from './reviewer.js';
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
      context.onEstimate?.(open.estimate);
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
  readonly verification: Verification | undefined;
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
  /** Looks at findings again; the reviewing model or another one. */
  readonly verifier?: Model | undefined;
}

/** Everything up to the first call: planned, set, weighed. */
async function setUpReview(
  opened: ReviewContext,
  request: ReviewRunRequest,
  options: SetUpOptions,
): Promise<SetUpReview> {
  const { folder, signal, catalog, model, planner, verifier } = options;
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
  // A provider should keep the whole page where its findings are shown to the same model again.
  const isVerified = request.verify || request.verifyModel !== undefined;
  const isContinued = isVerified && (verifier?.id ?? request.verifyModel ?? name) === name;
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
    isContinued,
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
    const files = plan.planned?.files ?? [];
    const tree = cleanTree(opened, files);
    const followUps = followUpsOf({
      ...{ most, meter, again, files, capacity: window, units: set.units },
      tokens: request.followUpTokens ?? opened.config.followUpTokens,
      serve: requestService(opened, tree, meter),
      turns: model?.takesTurns === true,
      isContinued,
    });
    const verification =
      verifier === undefined
        ? undefined
        : verificationBy(verifier, { ...output, meter, tree, reviewing: name, language: request.language });
    return { plan, set, review, estimate, warnings, kept, meter, timeouts, name, followUps, verification };
  } catch (error) {
    set.close();
    throw error;
  }
}

function verificationBy(
  model: Model,
  options: {
    readonly tree: CleanTree;
    readonly meter: Meter;
    readonly catalog: Catalog;
    readonly maxOutputTokens: number | undefined;
    readonly reviewing: string;
    readonly language: string | undefined;
  },
): Verification {
  const { tree, meter, reviewing, language, catalog, maxOutputTokens } = options;
  const capacity = promptCapacity(model.id, { meter: meter.id, catalog, maxOutputTokens });
  const verify = model.id === reviewing ? verifyInConversation : verifyAlone;
  return verify(model, { tree, meter, capacity, language });
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

/** Pages that were answered before count, and are not worth a word. */
function progressOf(review: PreparedReview, { onProgress }: RunContext) {
  let done = 0;
  return ({ status }: PageOutcome) => {
    done += 1;
    if (status !== 'kept') onProgress?.({ stage: 'review', done, total: review.pages.length });
  };
}
