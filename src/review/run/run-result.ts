// What a review by a model hands back: the report, and an account of every page. No text of the change but what findings quote.

import type { HiddenText, Redaction } from '../../cleaning/clean-text.js';
import type { ErrorCode } from '../../core/model/error-table.js';
import type { RunRecord } from '../../core/model/run-record.js';
import type { Warning } from '../../core/model/warning.js';
import type { ChunkPiece, PageReceipt } from '../pages/page-set.js';
import type { PlanRow } from '../plan/fuse-plan.js';
import type { Omission } from '../prune/omission.js';
import type { AnsweredReport } from '../reports/report-answers.js';
import type { Estimate, Spent } from './estimate.js';
import type { PageOutcome } from './review-pages.js';
import type { MissingPage } from './run-coverage.js';

export interface RunReceipt extends PageReceipt {
  readonly runs: readonly RunRecord[];
  readonly redactions: readonly Redaction[];
  readonly hiddenText: readonly HiddenText[];
}

interface Common {
  readonly estimate: Estimate;
  readonly coverage: string;
  readonly omitted: readonly Omission[];
  /** Present when a planner was asked. */
  readonly plan?: readonly PlanRow[];
  readonly warnings: readonly Warning[];
  readonly receipt: RunReceipt;
}

export interface PageRow {
  readonly page: number;
  readonly status: PageOutcome['status'];
  readonly code?: ErrorCode;
  readonly findings: number;
  readonly tokens: number;
  readonly fingerprint: string;
  readonly pieces: readonly ChunkPiece[];
}

export interface ReviewRun extends Common, Omit<AnsweredReport, keyof Common> {
  readonly dryRun: false;
  readonly model: string;
  readonly pages: readonly PageRow[];
  readonly missing: readonly MissingPage[];
  readonly spent: Spent;
}

export interface DryRun extends Common {
  readonly dryRun: true;
  /** The same for every page. */
  readonly system: string;
  readonly pages: readonly {
    readonly page: number;
    readonly prompt: string;
    readonly tokens: number;
    readonly fingerprint: string;
    /** Answered by an earlier run: it would not be sent. */
    readonly kept: boolean;
    readonly pieces: readonly ChunkPiece[];
  }[];
}
