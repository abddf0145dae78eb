// Everything up to the first call of a review: planned, set, weighed, with the answers that are there already, and how its
// conversations may go on.

import type { Warning } from '../../core/model/error.js';
import type { Meter } from '../../core/model/meter.js';
import { createCountCache, withCountCache } from '../../meters/count-cache.js';
import { loadMeter } from '../../meters/load-meter.js';
import { type Catalog, promptCapacity } from '../../models/catalog/catalog.js';
import type { Model, Timeouts } from '../../models/contract/model.js';
import type { ReviewContext } from '../change/open-review.js';
import { defaultMeter } from '../change/review-request.js';
import { type CleanTree, cleanTree } from '../follow-up/clean-tree.js';
import { type FollowUps, followUpsOf } from '../follow-up/follow-ups.js';
import { requestService } from '../follow-up/serve-requests.js';
import type { PageLimit } from '../pages/page-limits.js';
import { type AskedLevels, withAskedLevels } from '../plan/asked-levels.js';
import type { SetReview } from '../prompt/laid-review.js';
import { type ReaderTask, reviewerTask } from '../prompt/reviewer-system.js';
import { setReview } from '../prompt/set-review.js';
import { type Verification, verifyAlone, verifyInConversation } from '../verify/verification.js';
import { longestAgain } from './ask-readable.js';
import {
  answerKey,
  answersFolder,
  type KeepReceipt,
  type KeptAnswers,
  keptAnswers,
  keptPlacement,
} from './kept-answers.js';
import { type PlannedFiles, planFiles } from './plan-files.js';
import {
  type Estimate,
  estimateOf,
  type PreparedReview,
  preparePages,
  runWarnings,
} from './prepare-pages.js';
import type { Reviewer } from './reviewer.js';
import type { ReviewRunRequest } from './run-request.js';

/** Of a page for a model whose window nobody knows. */
const pageTokensOfUnknownModel = 119_808;

export interface SetUpReview {
  readonly plan: PlannedFiles;
  readonly set: SetReview;
  readonly review: PreparedReview;
  readonly estimate: Estimate;
  readonly warnings: readonly Warning[];
  readonly kept: KeptAnswers;
  readonly meter: Meter;
  readonly timeouts: Timeouts;
  readonly followUps: FollowUps;
  /** The files of the change and around it, as they may leave the machine. */
  readonly tree: CleanTree;
  readonly verification: Verification | undefined;
  /** Of the model; empty where none is named. */
  readonly name: string;
}

interface SetUpOptions {
  readonly folder: string;
  readonly answers?: string | undefined;
  readonly keepReceipt?: KeepReceipt | undefined;
  readonly signal: AbortSignal;
  readonly catalog: Catalog;
  readonly model?: Model | undefined;
  readonly planner?: Reviewer | undefined;
  /** Looks at findings again; the reviewing model or another one. */
  readonly verifier?: Model | undefined;
  /** Pages are read for something else than findings. */
  readonly task?: ((options: { readonly asks: boolean }) => ReaderTask) | undefined;
  /** Tokens a page keeps free for what is asked about it. */
  readonly again?: number | undefined;
}

/** Everything up to the first call: planned, set, weighed. */
export async function setUpReview(
  opened: ReviewContext,
  request: ReviewRunRequest,
  options: SetUpOptions,
): Promise<SetUpReview> {
  const { folder, signal, catalog, model, planner, verifier } = options;
  const { keepReceipt } = options;
  const kept = keptAnswers(await answersFolder(opened.repository, options.answers), { keepReceipt });
  const meterName = opened.request.meter ?? defaultMeter;
  const meter = await opened.recall(`meter ${meterName}`, async () =>
    withCountCache(await loadMeter(meterName), createCountCache()),
  );
  const timeouts = { totalMs: request.timeoutMs, firstByteMs: request.firstByteTimeoutMs };
  const { fresh } = request;
  const proposed =
    planner === undefined
      ? await opened.recall('plan', () => planFiles(opened, undefined))
      : await planFiles(opened, { reviewer: planner, options: { kept, meter, timeouts, signal, fresh } });
  const plan = await withLevels(opened, proposed, request.levels);
  const name = model?.id ?? request.model ?? '';
  const most = mostFollowUps(request, opened, name);
  const asks = most > 0;
  const task = options.task?.({ asks }) ?? reviewerTask({ language: request.language, asks });
  const { system } = task;
  const answer = await model?.answerForm?.(task.shape);
  const asked = opened.request.maxPromptTokens ?? Number.POSITIVE_INFINITY;
  const output = { meter: meter.id, catalog, maxOutputTokens: request.maxOutputTokens };
  const window = name === '' ? undefined : promptCapacity(name, output);
  const limit = Math.min(asked, window ?? (Number.isFinite(asked) ? asked : pageTokensOfUnknownModel));
  // A provider should keep the whole page where its findings are shown to the same model again.
  const isVerified = request.verify || request.verifyModel !== undefined;
  const isContinued = isVerified && (verifier?.id ?? request.verifyModel ?? name) === name;
  const again = options.again ?? Math.ceil(meter.weigh(longestAgain) / meter.scale) + 1;
  const stood = fresh ? undefined : await kept.get(placementKey(opened, name), keptPlacement);
  const set = await setReview(opened, plan.planned, {
    ...{ folder, meter, task, skipped: plan.skipped },
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
    wish: { pin: request.pin, without: request.without },
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
    return {
      ...{ plan, set, review, estimate, warnings, kept, meter, timeouts, name },
      ...{ followUps, tree, verification },
    };
  } catch (error) {
    set.close();
    throw error;
  }
}

/** The plan with the levels somebody named; the same one for the same levels while a change is held. */
async function withLevels(
  { recall }: ReviewContext,
  proposed: PlannedFiles,
  levels: AskedLevels,
): Promise<PlannedFiles> {
  const { planned } = proposed;
  if (planned === undefined || Object.keys(levels).length === 0) return proposed;
  const find = async () => ({ ...proposed, planned: withAskedLevels(planned, levels) });
  return recall(`plan with ${JSON.stringify(levels)}`, find);
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

/** Files keep their pages from run to run of one change, by one model. */
export function placementKey({ change, request }: ReviewContext, model: string): string {
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

export async function keepPlacement(
  kept: KeptAnswers,
  key: string,
  { pages }: PreparedReview,
): Promise<void> {
  const places = pages.flatMap(({ index, pieces }) =>
    pieces.filter(({ parts }) => parts === 1).map(({ path }) => [path, index - 1] as const),
  );
  if (pages.length > 1) await kept.put(key, { pages: Object.fromEntries(places) });
}
