// How many findings of each severity, zeros included.
import { type Severity, severities } from '../findings/severity.js';
import type { ReportedFinding } from './report.js';

export function exactlyCounted(findings: readonly ReportedFinding[]): Record<Severity, number> {
  const counts = Object.fromEntries(severities.map((severity) => [severity, 0])) as Record<Severity, number>;
  for (const { finding } of findings) counts[finding.severity] += 1;
  return counts;
}
