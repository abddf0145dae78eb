// What a review hands to its writers. Every finding of the review is in exactly one of `findings` and `held`.
import type { Warning } from '../../core/model/error.js';
import type { Standing } from '../findings/carry-over.js';
import type { Finding } from '../findings/finding.js';
import type { PlacedFinding } from '../findings/placed-finding.js';
import type { HoldReason } from '../findings/select-findings.js';

export interface ReportTool {
  readonly name: string;
  readonly version: string;
  readonly url?: string;
}

export interface ReportedFinding extends PlacedFinding {
  readonly standing: Standing;
}

export interface HeldFinding {
  readonly item: ReportedFinding;
  readonly reason: HoldReason;
}

export interface Report {
  readonly tool: ReportTool;
  /** Ordered: worst, surest, then by place. */
  readonly findings: readonly ReportedFinding[];
  readonly held: readonly HeldFinding[];
  readonly resolved: readonly Finding[];
  /** Said earlier, and their code was not looked at this time. */
  readonly unchecked: readonly Finding[];
  /** Findings that several pages reported. */
  readonly duplicates: number;
  /** False when a part of the change could not be reviewed. */
  readonly complete: boolean;
  /** One line: what was reviewed in full, in part or not at all. */
  readonly coverage?: string;
  readonly warnings: readonly Warning[];
}
