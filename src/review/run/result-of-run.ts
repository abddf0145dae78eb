// What a review by a model comes to: the account of every page that was sent, and with answers the report. No text of the change
// but what findings quote.
import type { HiddenText, Redaction } from '../../cleaning/clean-text.js';
import { byCodePoint } from '../../core/model/code-points.js';
import type { ErrorCode, Warning } from '../../core/model/error.js';
import type { Receipt } from '../../core/model/receipt.js';
import { withoutSpans } from '../../core/seal/seal.js';
import type { RunRecord } from '../../models/contract/model.js';
import type { Omission } from '../change/omission.js';
import { inPathOrder } from '../change/omission.js';
import type { ReviewContext } from '../change/open-review.js';
import { unitLocation } from '../context/bundle.js';
import type { ReviewFinding } from '../findings/finding.js';
import type { ContextPlace } from '../pages/context-on-pages.js';
import type { PageReceipt } from '../pages/page-set.js';
import type { ChunkPiece } from '../pages/placed-pieces.js';
import type { ContextLevel } from '../plan/context-need.js';
import type { PlanRow } from '../plan/fuse-plan.js';
import type { PlannedUnit } from '../plan/plan-review.js';
import { risks } from '../plan/rule.js';
import type { FileShown } from '../prompt/change-map.js';
import type { SetReview } from '../prompt/laid-review.js';
import { failsAt } from '../report/report.js';
import type { AnsweredReport } from '../report/report-answers.js';
import { reportLanguageOf, reportWords } from '../report/report-words.js';
import { writeReport } from '../report/write-report.js';
import type { PlannedFiles } from './plan-files.js';
import type { PreparedPage, PreparedReview, Spent } from './prepare-pages.js';
import { type Estimate, spentOn } from './prepare-pages.js';
import { coverRun, gatherWarnings, type MissingPage, reportRun } from './report-run.js';
import type { PageOutcome } from './review-pages.js';
import type { ReviewRunRequest } from './run-request.js';

interface RunReceipt extends PageReceipt {
  readonly redactions: readonly Redaction[];
  readonly hiddenText: readonly HiddenText[];
  /** Digest of where files stood in the run before, where they keep their pages. */
  readonly placement?: string;
}

/** What a file is to its reviewer. */
interface FileOfRun extends FileShown {
  readonly path: string;
}

interface Common {
  readonly estimate: Estimate;
  /** Riskiest first, then by path. */
  readonly files: readonly FileOfRun[];
  readonly coverage: string;
  readonly omitted: readonly Omission[];
  /** Present when a planner was asked. */
  readonly plan?: readonly PlanRow[];
  readonly warnings: readonly Warning[];
  readonly receipt: RunReceipt;
}

/** Of one call. */
interface PageCallReceipt extends Receipt {
  /** From 1. */
  readonly page: number;
  /** Digest of where files stood in the run before, where they keep their pages. */
  readonly placement?: string;
}

/** Of any call of a review. */
export type CallReceipt = Receipt & Partial<Pick<PageCallReceipt, 'page' | 'placement'>>;

interface PageFacts {
  readonly page: number;
  readonly tokens: number;
  /** Of everything the answer depends on. */
  readonly fingerprint: string;
  readonly pieces: readonly ChunkPiece[];
  /** What stands on it beside the diff, best first. */
  readonly context: readonly ContextPlace[];
  /** Of what is sent: it weighs and hashes system text, prompt and the form of the answer. */
  readonly receipt: PageCallReceipt;
}

interface PageRow extends PageFacts {
  readonly status: PageOutcome['status'];
  readonly code?: ErrorCode;
  readonly findings: number;
}

export interface ReviewRun extends Common, Omit<AnsweredReport, keyof Common> {
  readonly dryRun: false;
  readonly model: string;
  readonly pages: readonly PageRow[];
  /** The coverage in the language of the report. */
  readonly coverageTold: string;
  readonly missing: readonly MissingPage[];
  readonly spent: Spent;
  /** What models reported of each call; it names the receipt of what was sent. */
  readonly runs: readonly RunRecord[];
  /** Of the calls beside the pages: the plan, and what followed in the conversation about a page. */
  readonly receipts: readonly CallReceipt[];
}

export interface DryRun extends Common {
  readonly dryRun: true;
  /** The same for every page. */
  readonly system: string;
  readonly pages: readonly (PageFacts & {
    readonly prompt: string;
    /** Answered by an earlier run: it would not be sent. */
    readonly kept: boolean;
  })[];
}

/** What a review would send, as it is looked at: the texts only of pages that are asked for. */
export interface LookOfRun extends Common {
  /** The same for every page. */
  readonly system: string;
  /** Of the files that were asked for. */
  readonly units: readonly ShownUnit[];
  readonly pages: readonly (Omit<PageFacts, 'fingerprint' | 'receipt'> & {
    readonly prompt?: string;
    /** Answered by an earlier run: it would not be sent. */
    readonly kept: boolean;
  })[];
}

/** A unit of a file that is looked at. */
interface ShownUnit extends Pick<PlanRow, 'unit_id' | 'decided_by'> {
  readonly path: string;
  /** The symbol it lies in, or its lines. */
  readonly location: string;
  readonly level: ContextLevel;
}

export interface RunState {
  readonly opened: ReviewContext;
  /** What people called intended. */
  readonly exempt: (finding: ReviewFinding) => boolean;
  readonly set: SetReview;
  readonly review: PreparedReview;
  readonly plan: PlannedFiles;
  readonly isPlannerAsked: boolean;
  readonly estimate: Estimate;
  readonly warnings: readonly Warning[];
}

export async function resultOfRun(
  state: RunState,
  outcomes: readonly PageOutcome[],
  { request, model }: { readonly request: ReviewRunRequest; readonly model: string },
): Promise<ReviewRun> {
  const common = commonOf(state, outcomes);
  const { opened, review } = state;
  const seen = { omitted: common.omitted, rulesInPart: state.set.rulesInPart };
  const coverage = coverRun(outcomes, seen);
  const warnings = gatherWarnings([state.warnings, ...outcomes.map((outcome) => outcome.warnings)]);
  const report = await reportRun(opened, outcomes, { coverage, warnings, exempt: state.exempt, request });
  const { runs } = common;
  const language = reportLanguageOf(request.language);
  const told = coverRun(outcomes, seen, reportWords(language).coverage);
  return {
    ...common,
    dryRun: false,
    model,
    report: writeReport(report, request.format, { language, coverage: told.line }),
    format: request.format,
    findings: report.findings,
    held: report.held.length,
    complete: coverage.complete,
    fails: failsAt(report, request.failLevel),
    pages: outcomes.map(({ page, status, code, findings }) => ({
      ...rowOf(page),
      status,
      ...(code === undefined ? {} : { code }),
      findings: findings.length,
      receipt: withoutSpans(review.seal(page).receipt as PageCallReceipt),
    })),
    coverageTold: told.line,
    missing: coverage.missing,
    receipts: [
      ...(state.plan.receipt === undefined ? [] : [state.plan.receipt]),
      ...outcomes.flatMap((outcome) => outcome.receipts),
    ],
    spent: spentOn(runs),
    coverage: coverage.line,
    warnings,
    ...(state.isPlannerAsked ? { plan: state.plan.planned?.plan ?? [] } : {}),
  };
}

export function dryRunOf(state: RunState): DryRun {
  const { review } = state;
  const pages = review.pages.map((page): DryRun['pages'][number] => {
    const { prompt, receipt } = review.seal(page);
    return { ...rowOf(page), prompt, receipt: receipt as PageCallReceipt, kept: page.answer !== undefined };
  });
  const { runs: _, ...common } = commonOf(state, []);
  return { ...common, dryRun: true, system: review.system, pages };
}

/** Paths of files, and numbers of pages from 1, of which more is wanted. */
interface LookWish {
  readonly texts: readonly number[];
  readonly units: readonly string[];
}

export function lookOf(state: RunState, { texts, units }: LookWish): LookOfRun {
  const { review } = state;
  const { runs: _, ...common } = commonOf(state, []);
  return {
    ...common,
    system: review.system,
    units: units.flatMap((path) => (state.set.units.get(path) ?? []).map(shownUnit)),
    pages: review.pages.map((page) => {
      const { fingerprint: __, ...row } = rowOf(page);
      return {
        ...{ ...row, kept: page.answer !== undefined },
        ...(texts.includes(page.index) ? { prompt: review.seal(page).prompt } : {}),
      };
    }),
  };
}

const shownUnit = ({ unit, row }: PlannedUnit): ShownUnit => ({
  ...{ unit_id: unit.id, path: unit.path, location: unitLocation(unit) },
  ...{ level: row.final_context_level, decided_by: row.decided_by },
});

function rowOf({ index, tokens, fingerprint, pieces, context }: PreparedPage) {
  return { page: index, tokens, fingerprint, pieces, context };
}

function commonOf({ set, review, plan, estimate, warnings }: RunState, outcomes: readonly PageOutcome[]) {
  const runs: RunRecord[] = [
    ...(plan.run === undefined ? [] : [plan.run]),
    ...outcomes.flatMap((outcome) => outcome.runs),
  ];
  const omitted = inPathOrder([...set.omitted, ...plan.omitted]);
  const coverage =
    outcomes.length === 0 ? set.coverage : coverRun(outcomes, { omitted, rulesInPart: set.rulesInPart }).line;
  const pieces = review.pages.flatMap((page) => page.pieces);
  const notApplicable = pieces.filter(({ applicable }) => !applicable).length;
  const receipt = set.receipt({
    coverage: set.coverage,
    accounting: { ...set.accounting, notApplicable },
    redactions: review.redactions,
    hiddenText: review.hidden,
  }) as RunReceipt;
  return { estimate, files: byRisk(set.filesShown()), coverage, omitted, warnings, receipt, runs };
}

function byRisk(shown: ReadonlyMap<string, FileShown>): FileOfRun[] {
  const files = [...shown].map(([path, file]) => ({ path, ...file }));
  return files.sort(
    (left, right) =>
      risks.indexOf(right.risk) - risks.indexOf(left.risk) || byCodePoint(left.path, right.path),
  );
}
