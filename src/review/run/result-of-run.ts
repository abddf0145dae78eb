// What a run comes to: the account of what was sent, and with answers the report.

import type { Warning } from '../../core/model/error.js';
import { withoutSpans } from '../../core/seal/seal.js';
import type { RunRecord } from '../../models/contract/model.js';
import type { ReviewRoom } from '../changes/review-room.js';
import { inPathOrder } from '../prune/binary-omission.js';
import { exitCodeFor } from '../reports/exit-code.js';
import { reportLanguageOf, reportWords } from '../reports/report-language.js';
import { writeReport } from '../reports/write-report.js';
import { type Estimate, spentOn } from './estimate.js';
import type { PlannedFiles } from './plan-files.js';
import type { PreparedPage, PreparedReview } from './prepare-pages.js';
import { gatherWarnings, reportRun } from './report-run.js';
import type { PageOutcome } from './review-pages.js';
import { coverRun } from './run-coverage.js';
import type { ReviewRunRequest } from './run-request.js';
import type { DryRun, PageCallReceipt, ReviewRun, RunReceipt } from './run-result.js';
import type { SetReview } from './set-review.js';

export interface RunSheet {
  readonly room: ReviewRoom;
  readonly set: SetReview;
  readonly review: PreparedReview;
  readonly plan: PlannedFiles;
  readonly isPlannerAsked: boolean;
  readonly estimate: Estimate;
  readonly warnings: readonly Warning[];
}

export async function resultOf(
  sheet: RunSheet,
  outcomes: readonly PageOutcome[],
  { request, model }: { readonly request: ReviewRunRequest; readonly model: string },
): Promise<ReviewRun> {
  const common = commonOf(sheet, outcomes);
  const { room, review } = sheet;
  const coverage = coverRun(outcomes, common.omitted);
  const warnings = gatherWarnings([sheet.warnings, ...outcomes.map((outcome) => outcome.warnings)]);
  const report = await reportRun(room, outcomes, { coverage, warnings, request });
  const { runs } = common;
  const language = reportLanguageOf(request.language);
  const told = coverRun(outcomes, common.omitted, reportWords(language).coverage);
  return {
    ...common,
    dryRun: false,
    model,
    report: writeReport(report, request.format, { language, coverage: told.line }),
    format: request.format,
    findings: report.findings,
    held: report.held.length,
    complete: coverage.complete,
    fails: exitCodeFor(report, request.failLevel) === 1,
    pages: outcomes.map(({ page, status, code, findings }) => ({
      ...rowOf(page),
      status,
      ...(code === undefined ? {} : { code }),
      findings: findings.length,
      receipt: withoutSpans(review.seal(page).receipt as PageCallReceipt),
    })),
    missing: coverage.missing,
    receipts: [
      ...(sheet.plan.receipt === undefined ? [] : [sheet.plan.receipt]),
      ...outcomes.flatMap(({ again }) => again ?? []),
    ],
    spent: spentOn(runs),
    coverage: coverage.line,
    warnings,
    ...(sheet.isPlannerAsked ? { plan: sheet.plan.planned?.plan ?? [] } : {}),
  };
}

export function dryRunOf(sheet: RunSheet): DryRun {
  const { review } = sheet;
  const pages = review.pages.map((page): DryRun['pages'][number] => {
    const { prompt, receipt } = review.seal(page);
    return { ...rowOf(page), prompt, receipt: receipt as PageCallReceipt, kept: page.findings !== undefined };
  });
  const { runs: _, ...common } = commonOf(sheet, []);
  return { ...common, dryRun: true, system: review.system, pages };
}

function rowOf({ index, tokens, fingerprint, pieces, context }: PreparedPage) {
  return { page: index, tokens, fingerprint, pieces, context };
}

function commonOf({ set, review, plan, estimate, warnings }: RunSheet, outcomes: readonly PageOutcome[]) {
  const runs: RunRecord[] = [
    ...(plan.run === undefined ? [] : [plan.run]),
    ...outcomes.flatMap((outcome) => outcome.runs),
  ];
  const omitted = inPathOrder([...set.omitted, ...plan.omitted]);
  const coverage = outcomes.length === 0 ? set.coverage : coverRun(outcomes, omitted).line;
  const pieces = review.pages.flatMap((page) => page.pieces);
  const notApplicable = pieces.filter(({ applicable }) => !applicable).length;
  const receipt = set.receipt({
    coverage: set.coverage,
    accounting: { ...set.accounting, notApplicable },
    redactions: review.redactions,
    hiddenText: review.hidden,
  }) as RunReceipt;
  return { estimate, coverage, omitted, warnings, receipt, runs };
}
