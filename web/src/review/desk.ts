// What the view needs from wherever the review is: a server, or the file that was opened.
import type { AnswerOf } from '../../../src/operations/table.js';
import type { FileDiff } from '../../../src/review/change/review-diff.js';
import type { ReviewFinding } from '../../../src/review/findings/finding.js';
import type { ReportFormat } from '../../../src/review/report/write-report.js';
import type { PageNews } from '../../../src/review/run/review-pages.js';
import type { ReviewedChange, ReviewedRun, ReviewSheet } from '../../../src/surfaces/page/saved-review.js';

export type Changes = AnswerOf<'review:changes'>;
export type ChangedPath = Changes['entries'][number];
export type Plan = AnswerOf<'review:plan'>;
export type ReportedFinding = ReviewedRun['findings'][number];
export type PullStatus = AnswerOf<'forge:status'>;
export type Posted = AnswerOf<'forge:post'>;

export interface DiffWish {
  readonly files: readonly string[];
  readonly lineChars?: number;
  readonly fileLines?: number;
}

export interface ReviewDesk {
  changes(change: ReviewedChange): Promise<Changes>;
  /** `look`: the change as it was read, where it is still held. */
  sheet(
    change: ReviewedChange,
    asked: { readonly model?: string; readonly look?: string | undefined },
  ): Promise<ReviewSheet>;
  plan(change: ReviewedChange): Promise<Plan>;
  diff(change: ReviewedChange, wish: DiffWish): Promise<readonly FileDiff[]>;
  /** The report that is kept with the review, as JSON, in another format. */
  report(change: ReviewedChange, format: ReportFormat, json: string): Promise<string>;
  /** A run that is there already. */
  readonly run?: ReviewedRun;
  /** Absent where nothing can be done but read. */
  readonly acts?: ReviewActs;
}

export interface RunWish {
  readonly model?: string;
  readonly signal: AbortSignal;
  onProgress(news: {
    readonly done: number;
    readonly total: number;
    readonly pages: readonly PageNews[];
  }): void;
}

export interface ReviewActs {
  /** The one that is configured. */
  readonly model: string | undefined;
  run(change: ReviewedChange, wish: RunWish): Promise<ReviewedRun>;
  exempt(finding: ReviewFinding, remove: boolean): Promise<void>;
  apply(request: {
    readonly path: string;
    readonly blob: string;
    readonly startLine: number;
    readonly endLine: number;
    readonly replacement: string;
    readonly exact?: boolean;
  }): Promise<{ readonly blob: string; readonly grew: number; readonly replaced: string }>;
  /** Undefined where no pull request is known. */
  pull(): Promise<PullStatus | undefined>;
  post(json: string, dryRun: boolean): Promise<Posted>;
}

export type { FileDiff, PageNews, ReportFormat, ReviewedChange, ReviewedRun, ReviewFinding, ReviewSheet };
