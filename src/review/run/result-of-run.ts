// What a run comes to: the account of what was sent, and with answers the report.
import type { RunRecord } from '../../core/model/run-record.js';
import type { Warning } from '../../core/model/warning.js';
import type { ReviewRoom } from '../changes/review-room.js';
import { inPathOrder } from '../prune/binary-omission.js';
import { exitCodeFor } from '../reports/exit-code.js';
import { reportLanguageOf, reportWords } from '../reports/report-language.js';
import { writeReport } from '../reports/write-report.js';
import { type Estimate, spentOn } from './estimate.js';
import type { PlannedFiles } from './plan-files.js';
import type { PreparedReview } from './prepare-pages.js';
import { gatherWarnings, reportRun } from './report-run.js';
import type { PageOutcome } from './review-pages.js';
import { coverRun } from './run-coverage.js';
import type { ReviewRunRequest } from './run-request.js';
import type { DryRun, ReviewRun, RunReceipt } from './run-result.js';
import type { Survey } from './survey-pages.js';

export interface RunSheet {
  readonly room: ReviewRoom;
  readonly survey: Survey;
  readonly review: PreparedReview;
  readonly planned: PlannedFiles | undefined;
  readonly estimate: Estimate;
  readonly warnings: readonly Warning[];
}

export async function resultOf(
  sheet: RunSheet,
  outcomes: readonly PageOutcome[],
  { request, model }: { readonly request: ReviewRunRequest; readonly model: string },
): Promise<ReviewRun> {
  const common = commonOf(sheet, outcomes);
  const { room, planned } = sheet;
  const coverage = coverRun(outcomes, common.omitted);
  const warnings = gatherWarnings([sheet.warnings, ...outcomes.map((outcome) => outcome.warnings)]);
  const report = await reportRun(room, outcomes, { coverage, warnings, request });
  const { runs } = common.receipt;
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

export async function dryRunOf(sheet: RunSheet): Promise<DryRun> {
  const { review } = sheet;
  const pages: DryRun['pages'][number][] = [];
  for (const { index, tokens, fingerprint, findings, pieces } of review.pages) {
    const prompt = await review.promptOf(index);
    pages.push({ page: index, prompt, tokens, fingerprint, kept: findings !== undefined, pieces });
  }
  return { ...commonOf(sheet, []), dryRun: true, system: review.system, pages };
}

function commonOf(
  { survey, review, planned, estimate, warnings }: RunSheet,
  outcomes: readonly PageOutcome[],
) {
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
