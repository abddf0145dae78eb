// The report of a run after a person looked at it: what was dismissed is held back, as an exemption would hold it.
import type { Decision } from './review-state.js';

interface JsonReport {
  counts: Record<string, number>;
  findings: { id: string; severity: string }[];
  held: object[];
}

export function decidedReport(json: string, decisions: Readonly<Record<string, Decision>>): string {
  const report = JSON.parse(json) as JsonReport;
  const isDismissed = ({ id }: { id: string }) => decisions[id] === 'dismissed';
  const dismissed = report.findings.filter(isDismissed);
  if (dismissed.length === 0) return json;
  const counts = { ...report.counts };
  for (const { severity } of dismissed) counts[severity] = (counts[severity] ?? 1) - 1;
  const findings = report.findings.filter((finding) => !isDismissed(finding));
  const held = [...report.held, ...dismissed.map((finding) => ({ ...finding, holdReason: 'exempt' }))];
  return `${JSON.stringify({ ...report, counts, findings, held }, null, 2)}\n`;
}
