// From what the pages answered to what is reported: anchors, duplicates, what is known already, what is worth saying.
import type { Warning } from '../../core/model/error.js';
import type { FilePatch } from '../../git/patch/patch.js';
import { type CarryOver, carryOver } from '../findings/carry-over.js';
import { checkAnchors } from '../findings/check-anchors.js';
import type { Finding } from '../findings/finding.js';
import { compareFindings } from '../findings/finding-order.js';
import { mergeFindings } from '../findings/merge-findings.js';
import { type Selection, selectFindings } from '../findings/select-findings.js';
import type { Report, ReportTool } from './report.js';

export interface ReportOptions {
  readonly tool: ReportTool;
  readonly patches: Iterable<FilePatch>;
  readonly selection?: Selection | undefined;
  readonly carry?: CarryOver | undefined;
  readonly complete?: boolean | undefined;
  readonly coverage?: string | undefined;
  readonly warnings?: readonly Warning[] | undefined;
}

export function buildReport(findings: readonly Finding[], options: ReportOptions): Report {
  const { tool, patches, selection, carry, complete = true, coverage, warnings = [] } = options;
  const merged = mergeFindings(checkAnchors(findings, patches));
  // Before the threshold: what is merely not shown any more is not resolved.
  const carried = carryOver(merged.findings, carry ?? { earlier: [] });
  const { kept, held } = selectFindings(carried.current, selection);
  return {
    tool,
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
