// A review by a model, from the change to the report. What is finished is kept whatever happens next, and what is missing is said.
import type { RunRecord } from '../../core/model/run-record.js';
import type { Warning } from '../../core/model/warning.js';
import { loadMeter } from '../../meters/load-meter.js';
import type { Model } from '../../models/model.js';
import { type ReviewContext, type ReviewRoom, withReview } from '../changes/review-room.js';
import { defaultMeter } from '../pages/page-set.js';
import { inPathOrder } from '../prune/binary-omission.js';
import { exitCodeFor } from '../reports/exit-code.js';
import { type Estimate, estimateOf, spentOn } from './estimate.js';
import { keptAnswers } from './kept-answers.js';
import { type PlannedFiles, planFiles } from './plan-files.js';
import { type PreparedReview, preparePages } from './prepare-pages.js';
import { gatherWarnings, reportRun } from './report-run.js';
import { type PageOutcome, reviewPages } from './review-pages.js';
import { type RunCosts, recordWith, unknownCosts } from './run-costs.js';
import { coverRun } from './run-coverage.js';
import { allFailed, cancelled } from './run-failure.js';
import type { ReviewRunRequest } from './run-request.js';
import type { DryRun, ReviewRun, RunReceipt } from './run-result.js';
import { runWarnings } from './run-warnings.js';
import { type Survey, surveyPages } from './survey-pages.js';
import { trustInstructions } from './trusted-instructions.js';
import { writeReport } from './write-report.js';

export interface RunContext extends ReviewContext {
  readonly signal: AbortSignal;
  model(name?: string): Promise<Model>;
  readonly costs?: RunCosts | undefined;
  /** Before the first call. */
  onEstimate?(estimate: Estimate): void;
  onProgress?(progress: { readonly stage: string; readonly done: number; readonly total: number }): void;
  /** How long a model may take to end after it was told to. */
  readonly graceMs?: number | undefined;
}

export async function runReview(request: ReviewRunRequest, context: RunContext): Promise<ReviewRun | DryRun> {
  const { signal } = context;
  const { dryRun, model: name, maxCost } = request;
  const costs = context.costs ?? unknownCosts;
  const guarded = async (wanted: string | undefined): Promise<Model> => {
    const model = await context.model(wanted);
    return maxCost === undefined ? model : (costs.underCeiling?.(model, maxCost) ?? model);
  };
  // Refuses before anything is read when there is no such model.
  const model = dryRun ? undefined : await guarded(name);
  return withReview(request, { folder: context.folder, signal }, async (room) => {
    const kept = keptAnswers(room.repository.gitDirectory);
    const meter = await loadMeter(room.request.meter ?? defaultMeter);
    const record = recordWith(costs);
    const timeouts = { totalMs: request.timeoutMs, firstByteMs: request.firstByteTimeoutMs };
    const wantsPlan = request.planner || request.planModel !== undefined;
    const planned =
      wantsPlan && model !== undefined
        ? await planFiles(room, request.planModel === undefined ? model : await guarded(request.planModel), {
            ...{ kept, meter, timeouts, signal, record },
            fresh: request.fresh,
            graceMs: context.graceMs,
          })
        : undefined;
    const trusted = await trustInstructions(room, room.request.skill, context.folder);
    const survey = await surveyPages(request, { folder: context.folder, signal });
    try {
      const review = await preparePages(survey, {
        model: model?.id ?? name ?? '',
        meter,
        language: request.language,
        skipped: planned?.skipped,
        instructions: trusted.kind === 'replaced' ? trusted : undefined,
        kept: request.fresh ? undefined : kept,
        signal,
      });
      const estimate = estimateOf(review, model?.id ?? name ?? '', costs);
      context.onEstimate?.(estimate);
      const warnings = [
        ...survey.warnings,
        ...(trusted.kind === 'replaced' ? [trusted.warning] : []),
        ...(planned?.warnings ?? []),
        ...runWarnings(review, room.change),
      ];
      const sheet: Sheet = { room, survey, review, planned, estimate, warnings };
      if (model === undefined) return await dryRunOf(sheet);
      const outcomes = await reviewPages(review, {
        ...{ model, kept, timeouts, signal, record },
        concurrency: request.concurrency,
        maxOutputTokens: request.maxOutputTokens,
        graceMs: context.graceMs,
        onOutcome: progressOf(review, context),
      });
      if (signal.aborted) throw cancelled(outcomes);
      const failure = allFailed(outcomes);
      if (failure !== undefined) throw failure;
      return await resultOf(sheet, outcomes, { request, model: model.id });
    } finally {
      await survey.close();
    }
  });
}

interface Sheet {
  readonly room: ReviewRoom;
  readonly survey: Survey;
  readonly review: PreparedReview;
  readonly planned: PlannedFiles | undefined;
  readonly estimate: Estimate;
  readonly warnings: readonly Warning[];
}

async function resultOf(
  sheet: Sheet,
  outcomes: readonly PageOutcome[],
  { request, model }: { readonly request: ReviewRunRequest; readonly model: string },
): Promise<ReviewRun> {
  const common = commonOf(sheet, outcomes);
  const { room, planned } = sheet;
  const coverage = coverRun(outcomes, common.omitted);
  const warnings = gatherWarnings([sheet.warnings, ...outcomes.map((outcome) => outcome.warnings)]);
  const report = await reportRun(room, outcomes, { coverage, warnings, request });
  const { runs } = common.receipt;
  return {
    ...common,
    dryRun: false,
    model,
    report: writeReport(report, request.format),
    format: request.format,
    findings: report.findings,
    held: report.held.length,
    complete: coverage.complete,
    fails: exitCodeFor(report, request.failLevel) === 1,
    pages: outcomes.map(({ page, status, code, findings }) => ({
      page: page.index,
      status,
      ...(code === undefined ? {} : { code }),
      findings: findings.length,
      tokens: page.tokens,
      fingerprint: page.fingerprint,
      pieces: page.pieces,
    })),
    missing: coverage.missing,
    spent: spentOn(runs),
    coverage: coverage.line,
    warnings,
    ...(planned === undefined ? {} : { plan: planned.plan }),
  };
}

async function dryRunOf(sheet: Sheet): Promise<DryRun> {
  const { review } = sheet;
  const pages: DryRun['pages'][number][] = [];
  for (const { index, tokens, fingerprint, findings, pieces } of review.pages) {
    const prompt = await review.promptOf(index);
    pages.push({ page: index, prompt, tokens, fingerprint, kept: findings !== undefined, pieces });
  }
  return { ...commonOf(sheet, []), dryRun: true, system: review.system, pages };
}

function commonOf({ survey, review, planned, estimate, warnings }: Sheet, outcomes: readonly PageOutcome[]) {
  const { accounting } = survey.receipt;
  const runs: RunRecord[] = [
    ...(planned?.run === undefined ? [] : [planned.run]),
    ...outcomes.flatMap(({ run }) => (run === undefined ? [] : [run])),
  ];
  const omitted = inPathOrder([...survey.omitted, ...(planned?.omitted ?? [])]);
  const coverage = outcomes.length === 0 ? survey.receipt.coverage : coverRun(outcomes, omitted).line;
  const pieces = review.pages.flatMap((page) => page.pieces);
  const receipt: RunReceipt = {
    ...survey.receipt,
    coverage,
    accounting: { ...accounting, notApplicable: pieces.filter(({ applicable }) => !applicable).length },
    runs,
    redactions: review.redactions,
    hiddenText: review.hidden,
  };
  return { estimate, coverage, omitted, warnings, receipt };
}

function progressOf(review: PreparedReview, { onProgress }: RunContext): (() => void) | undefined {
  if (onProgress === undefined) return undefined;
  let done = 0;
  return () => {
    done += 1;
    onProgress({ stage: 'review', done, total: review.pages.length });
  };
}
