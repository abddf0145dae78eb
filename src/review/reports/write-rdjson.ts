// The report in reviewdog's diagnostic format: one document, or one diagnostic per line. Lines only, since columns would be bytes.
import { type Severity, severityRank } from '../findings/severity.js';
import { currentLines, markdownMessage } from './plain-message.js';
import type { Report, ReportedFinding } from './report.js';
import { visibleJson } from './visible-json.js';

const severityNames: Readonly<Record<Severity, 'ERROR' | 'WARNING' | 'INFO'>> = {
  critical: 'ERROR',
  high: 'ERROR',
  medium: 'WARNING',
  low: 'WARNING',
  info: 'INFO',
};

export function writeRdjson(report: Report): string {
  const [worst] = report.findings
    .map(({ finding }) => finding.severity)
    .sort((left, right) => severityRank(left) - severityRank(right));
  const value = {
    source: sourceOf(report),
    ...(worst === undefined ? {} : { severity: severityNames[worst] }),
    diagnostics: report.findings.map((item) => diagnosticOf(item)),
  };
  return `${visibleJson(value, 2)}\n`;
}

export function writeRdjsonl(report: Report): string {
  const source = sourceOf(report);
  return report.findings.map((item) => `${visibleJson({ ...diagnosticOf(item), source })}\n`).join('');
}

function sourceOf({ tool: { name, url } }: Report) {
  return url === undefined ? { name } : { name, url };
}

function diagnosticOf({ finding, place }: ReportedFinding) {
  const { path, severity, category, suggestion } = finding;
  const lines = place.kind === 'anchored' ? currentLines(finding) : undefined;
  return {
    message: markdownMessage(finding),
    location: { path, ...(lines === undefined ? {} : { range: rangeOf(lines) }) },
    severity: severityNames[severity],
    code: { value: category },
    ...(suggestion === undefined
      ? {}
      : { suggestions: [{ range: rangeOf(suggestion), text: suggestion.replacement }] }),
  };
}

function rangeOf({ startLine, endLine }: { readonly startLine: number; readonly endLine: number }) {
  return { start: { line: startLine }, end: { line: endLine } };
}
