// A review as the page shows it, kept in one file: what the view would have asked the server for.
import type { AnswerOf } from '../../operations/table.js';
import type { FileDiff } from '../../review/change/review-diff.js';
import type { ReviewRequest } from '../../review/change/review-request.js';
import type { ReportFormat } from '../../review/report/write-report.js';

/** Which change; the fields of a request that name it. */
export type ReviewedChange = Pick<ReviewRequest, 'mode' | 'base' | 'head' | 'commit' | 'paths'>;

/** As the view has it in its address. */
export function queryOf({ mode, base, head, commit, paths = [] }: ReviewedChange): URLSearchParams {
  const fields = { base, head, commit };
  const query = new URLSearchParams({ mode });
  for (const [name, value] of Object.entries(fields)) if (value) query.set(name, value);
  for (const path of paths) query.append('path', path);
  return query;
}

type RunAnswer = AnswerOf<'review:run'>;
type DryRun = Extract<RunAnswer, { dryRun: true }>;

/** What is known before anybody is asked: pages, risk, coverage and price. No text of prompts. */
export interface ReviewSheet
  extends Pick<DryRun, 'estimate' | 'files' | 'coverage' | 'omitted' | 'warnings'> {
  readonly accounting: DryRun['receipt']['accounting'];
  readonly pages: readonly Pick<DryRun['pages'][number], 'page' | 'tokens' | 'pieces' | 'context'>[];
}

export type ReviewedRun = Pick<
  Extract<RunAnswer, { dryRun: false }>,
  | 'report'
  | 'findings'
  | 'held'
  | 'complete'
  | 'model'
  | 'coverage'
  | 'coverageTold'
  | 'missing'
  | 'spent'
  | 'warnings'
>;

export interface SavedReview {
  readonly name: string;
  readonly version: string;
  readonly change: ReviewedChange;
  readonly changes: AnswerOf<'review:changes'>;
  readonly sheet: ReviewSheet;
  readonly plan: AnswerOf<'review:plan'>;
  readonly diffs: readonly FileDiff[];
  readonly run?: ReviewedRun;
  /** The report in every format. */
  readonly reports?: Readonly<Partial<Record<ReportFormat, string>>>;
}

/** A receipt as it was kept: reasons and hashes, no text. */
export type SavedReceipt = Pick<
  AnswerOf<'receipts:get'>,
  'id' | 'operation' | 'createdAt' | 'seal' | 'value'
>;

type SheetFacts = Omit<ReviewSheet, 'accounting'> & {
  readonly receipt: { readonly accounting: ReviewSheet['accounting'] };
};

export function sheetOf({
  estimate,
  files,
  coverage,
  omitted,
  warnings,
  receipt,
  pages,
}: SheetFacts): ReviewSheet {
  return {
    ...{ estimate, files, coverage, omitted, warnings },
    accounting: receipt.accounting,
    pages: pages.map(({ page, tokens, pieces, context }) => ({ page, tokens, pieces, context })),
  };
}
