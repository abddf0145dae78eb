// How bad a finding is, worst first. The order of this list is the order of every report.

export const severities = ['critical', 'high', 'medium', 'low', 'info'] as const;

export type Severity = (typeof severities)[number];

/** 0 is the worst. */
export function severityRank(severity: Severity): number {
  return severities.indexOf(severity);
}

export function isAtLeast(severity: Severity, level: Severity): boolean {
  return severityRank(severity) <= severityRank(level);
}
