// From what the pages answered to what is reported: anchors, duplicates, what is known already, what is worth saying. Every finding
// of the review is in exactly one of `findings` and `held`.
import type { Warning } from '../../core/model/error.js';
import type { FilePatch } from '../../git/patch/patch.js';
import { checkAnchors, type PlacedFinding } from '../findings/check-anchors.js';
import {
  compareFindings,
  isAtLeast,
  type ReviewFinding,
  type Severity,
  severities,
} from '../findings/finding.js';
import {
  type CarryOver,
  carryOver,
  type FindingStanding,
  mergeFindings,
} from '../findings/merge-findings.js';
import type { ReportSummary } from './report-summary.js';

interface ReportTool {
  readonly name: string;
  readonly version: string;
  readonly url?: string;
}

export interface ReportedFinding extends PlacedFinding {
  readonly standing: FindingStanding;
}

interface HeldFinding {
  readonly item: ReportedFinding;
  readonly reason: HoldReason;
}

export interface Report {
  readonly tool: ReportTool;
  /** What changed and what is risky about it. */
  readonly summary?: ReportSummary;
  /** Those on lines of the change first; then worst, surest, by place. */
  readonly findings: readonly ReportedFinding[];
  readonly held: readonly HeldFinding[];
  readonly resolved: readonly ReviewFinding[];
  /** Said earlier, and their code was not looked at this time. */
  readonly unchecked: readonly ReviewFinding[];
  /** Findings that several pages reported. */
  readonly duplicates: number;
  /** False when a part of the change could not be reviewed. */
  readonly complete: boolean;
  /** One line: what was reviewed in full, in part or not at all. */
  readonly coverage?: string;
  readonly warnings: readonly Warning[];
}

interface ReportOptions {
  readonly tool: ReportTool;
  readonly summary?: ReportSummary | undefined;
  readonly selection?: FindingSelection | undefined;
  readonly carry?: CarryOver | undefined;
  readonly complete?: boolean | undefined;
  readonly coverage?: string | undefined;
  readonly warnings?: readonly Warning[] | undefined;
}

/** Suggestions are only held against the hunks: for findings whose files need not be read. */
export function buildReport(
  findings: readonly ReviewFinding[],
  options: ReportOptions & { readonly patches: Iterable<FilePatch> },
): Report {
  return reportPlaced(checkAnchors(findings, options.patches), options);
}

export function reportPlaced(placed: readonly PlacedFinding[], options: ReportOptions): Report {
  const { tool, summary, selection, carry, complete = true, coverage, warnings = [] } = options;
  const merged = mergeFindings(placed);
  // Before the threshold: what is merely not shown any more is not resolved.
  const carried = carryOver(merged.findings, carry ?? { earlier: [] });
  const { kept, held } = selectFindings(carried.current, selection);
  return {
    tool,
    ...(summary === undefined ? {} : { summary }),
    findings: kept,
    held,
    resolved: [...carried.resolved].sort(compareFindings),
    unchecked: [...carried.unchecked].sort(compareFindings),
    duplicates: merged.duplicates,
    complete,
    ...(coverage === undefined ? {} : { coverage }),
    warnings,
  };
}

interface FindingSelection {
  /** What people called intended. */
  readonly exempt?: ((finding: ReviewFinding) => boolean) | undefined;
  readonly minSeverity?: Severity | undefined;
  readonly minConfidence?: number | undefined;
  readonly most?: number | undefined;
}

export type HoldReason = 'refuted' | 'exempt' | 'below-threshold' | 'over-cap';

interface SelectedFindings<T> {
  readonly kept: readonly T[];
  readonly held: readonly { readonly item: T; readonly reason: HoldReason }[];
}

/**
 * Those that stand, above the threshold, the worst first, up to a cap; the others are held back with the reason, never lost. What is on
 * no line of the change, and may be about nothing at all, takes the place of nothing that is.
 */
export function selectFindings<T extends Pick<PlacedFinding, 'finding' | 'refuted' | 'place'>>(
  items: readonly T[],
  selection: FindingSelection = {},
): SelectedFindings<T> {
  const { minSeverity = 'info', minConfidence = 0, most = Number.POSITIVE_INFINITY, exempt } = selection;
  const kept: T[] = [];
  const held: { item: T; reason: HoldReason }[] = [];
  const ordered = [...items].sort(
    (left, right) =>
      Number(isOnChange(right)) - Number(isOnChange(left)) || compareFindings(left.finding, right.finding),
  );
  for (const item of ordered) {
    const { severity, confidence } = item.finding;
    const worth = isAtLeast(severity, minSeverity) && confidence >= minConfidence;
    if (item.refuted !== undefined) held.push({ item, reason: 'refuted' });
    else if (exempt?.(item.finding) === true) held.push({ item, reason: 'exempt' });
    else if (worth && kept.length < most) kept.push(item);
    else held.push({ item, reason: worth ? 'over-cap' : 'below-threshold' });
  }
  return { kept, held };
}

export function isOnChange({ place }: Pick<PlacedFinding, 'place'>): boolean {
  return place.kind === 'anchored';
}

type FailLevel = Severity | 'none';

/**
 * Whether the review fails the step that ran it. Only what stands on lines of the change does: a remark elsewhere, however bad, is
 * nothing its author did. What the cap hid still counts, what was refuted or below the threshold does not.
 */
export function failsAt(report: Pick<Report, 'findings' | 'held'>, failLevel: FailLevel): boolean {
  if (failLevel === 'none') return false;
  const capped = report.held.filter(({ reason }) => reason === 'over-cap').map(({ item }) => item);
  return [...report.findings, ...capped].some(
    (item) => isOnChange(item) && isAtLeast(item.finding.severity, failLevel),
  );
}

/** How many of each severity, zeros included. */
export function exactlyCounted(findings: readonly ReportedFinding[]): Record<Severity, number> {
  const counts = Object.fromEntries(severities.map((severity) => [severity, 0])) as Record<Severity, number>;
  for (const { finding } of findings) counts[finding.severity] += 1;
  return counts;
}
