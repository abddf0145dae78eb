// What a review by a model hands back: the report, and an account of every page. No text of the change but what findings quote.

import type { HiddenText, Redaction } from '../../cleaning/clean-text.js';
import type { ErrorCode, Warning } from '../../core/model/error.js';
import type { Receipt } from '../../core/model/receipt.js';
import type { RunRecord } from '../../models/contract/model.js';
import type { ContextPlace } from '../pages/context-on-pages.js';
import type { ChunkPiece, PageReceipt } from '../pages/page-set.js';
import type { PlanRow } from '../plan/fuse-plan.js';
import type { Omission } from '../prune/omission.js';
import type { AnsweredReport } from '../reports/report-answers.js';
import type { Estimate, Spent } from './estimate.js';
import type { PageOutcome } from './review-pages.js';
import type { MissingPage } from './run-coverage.js';

export interface RunReceipt extends PageReceipt {
  readonly redactions: readonly Redaction[];
  readonly hiddenText: readonly HiddenText[];
  /** Digest of where files stood in the run before, where they keep their pages. */
  readonly placement?: string;
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

/** Of one call. */
export interface PageCallReceipt extends Receipt {
  /** From 1. */
  readonly page: number;
  /** Digest of where files stood in the run before, where they keep their pages. */
  readonly placement?: string;
}

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

export interface PageRow extends PageFacts {
  readonly status: PageOutcome['status'];
  readonly code?: ErrorCode;
  readonly findings: number;
}

export interface ReviewRun extends Common, Omit<AnsweredReport, keyof Common> {
  readonly dryRun: false;
  readonly model: string;
  readonly pages: readonly PageRow[];
  readonly missing: readonly MissingPage[];
  readonly spent: Spent;
  /** What models reported of each call; it names the receipt of what was sent. */
  readonly runs: readonly RunRecord[];
  /** Of the calls beside the pages: the plan, and second questions about an answer. */
  readonly receipts: readonly (Receipt & Partial<Pick<PageCallReceipt, 'page' | 'placement'>>)[];
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
