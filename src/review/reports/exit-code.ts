// Does the review fail the step that ran it? What the cap hid still counts, what the threshold excluded does not.
import { isAtLeast, type Severity } from '../findings/severity.js';
import type { Report } from './report.js';

export type FailLevel = Severity | 'none';

export function exitCodeFor(report: Pick<Report, 'findings' | 'held'>, failLevel: FailLevel): 0 | 1 {
  if (failLevel === 'none') return 0;
  const capped = report.held.filter(({ reason }) => reason === 'over-cap').map(({ item }) => item);
  return [...report.findings, ...capped].some(({ finding }) => isAtLeast(finding.severity, failLevel))
    ? 1
    : 0;
}
