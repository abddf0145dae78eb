// The report for GitLab's code quality widget: a bare list, each entry with a fingerprint of its own.
import { hashText } from '../../meters/content-hash.js';
import type { Severity } from '../findings/severity.js';
import { currentLines, onOneLine, plainMessage } from './plain-message.js';
import type { Report } from './report.js';
import { type ReportLanguage, reportWords } from './report-language.js';
import { visibleJson } from './visible-json.js';

const severityNames: Readonly<Record<Severity, string>> = {
  critical: 'blocker',
  high: 'critical',
  medium: 'major',
  low: 'minor',
  info: 'info',
};

export function writeGitlab(report: Report, language?: ReportLanguage): string {
  const words = reportWords(language);
  const issues = report.findings.map(({ finding }) => {
    const lines = currentLines(finding);
    return {
      description: onOneLine(plainMessage(finding, words)),
      check_name: `review/${finding.category}`,
      // GitLab shows only the first of several with one fingerprint; ids are unique in a report.
      fingerprint: hashText(finding.id),
      severity: severityNames[finding.severity],
      location: {
        path: finding.path,
        lines: lines === undefined ? { begin: 1 } : { begin: lines.startLine, end: lines.endLine },
      },
    };
  });
  return `${visibleJson(issues, 2)}\n`;
}
