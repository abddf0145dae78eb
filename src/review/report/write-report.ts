// A report in the form that was asked for, the short forms at once: GitLab's code quality and reviewdog's diagnostics.
import type { LineRange } from '../../code/range-evidence.js';
import { hashText } from '../../meters/content-hash.js';
import { hidingFacts } from '../change/hiding.js';
import { type Severity, severityRank } from '../findings/finding.js';
import { writeJson } from './json-report.js';
import { currentLines, markdownMessage, onOneLine, plainMessage, visibleJson } from './machine-text.js';
import { markdownLine } from './markdown.js';
import { isOnChange, type Report, type ReportedFinding } from './report.js';
import { type ReportLanguage, reportWords } from './report-words.js';
import { writeAnnotations } from './write-annotations.js';
import { writeMarkdown } from './write-markdown.js';
import { writeSarif } from './write-sarif.js';

/** For people; what machines read is the same in every language. */
interface ReportWording {
  readonly language?: ReportLanguage | undefined;
  /** The coverage in that language; without it the line of the report. */
  readonly coverage?: string | undefined;
}

const writers = {
  markdown: (report: Report, wording: ReportWording) => writeMarkdown(report, wording),
  json: (report: Report) => writeJson(report),
  sarif: (report: Report) => writeSarif(report),
  rdjson: (report: Report) => writeRdjson(report),
  rdjsonl: (report: Report) => writeRdjsonl(report),
  gitlab: (report: Report, { language }: ReportWording) => writeGitlab(report, language),
  github: (report: Report, { language }: ReportWording) => {
    const { commands, summary } = writeAnnotations(report, { language });
    return commands + summary;
  },
} as const;

export type ReportFormat = keyof typeof writers;

export const reportFormats = Object.keys(writers) as ReportFormat[];

export function writeReport(report: Report, format: ReportFormat, wording: ReportWording = {}): string {
  return writers[format](report, wording);
}

const gitlabSeverities: Readonly<Record<Severity, string>> = {
  critical: 'blocker',
  high: 'critical',
  medium: 'major',
  low: 'minor',
  info: 'info',
};

/** For GitLab's code quality widget: a bare list, each entry with a fingerprint of its own and on a line, so that what stands on none is not there. */
export function writeGitlab(report: Report, language?: ReportLanguage): string {
  const words = reportWords(language);
  const hidden = hiddenIn(report).map(({ facts, path, message }) => ({
    description: onOneLine(words.hidden(facts, message)),
    check_name: 'review/hidden',
    fingerprint: hashText(`hidden ${facts.kind}`),
    severity: gitlabSeverities.medium,
    location: { path, lines: { begin: 1 } },
  }));
  const issues = report.findings.filter(isOnChange).map(({ finding }) => {
    const lines = currentLines(finding);
    return {
      description: onOneLine(plainMessage(finding, words)),
      check_name: `review/${finding.category}`,
      // GitLab shows only the first of several with one fingerprint; ids are unique in a report.
      fingerprint: hashText(finding.id),
      severity: gitlabSeverities[finding.severity],
      location: {
        path: finding.path,
        lines: lines === undefined ? { begin: 1 } : { begin: lines.startLine, end: lines.endLine },
      },
    };
  });
  return `${visibleJson([...hidden, ...issues], 2)}\n`;
}

/** What the change hides of itself, each at the first file concerned: a format without a place for warnings shows it as an item. */
function hiddenIn({ warnings }: Report) {
  return warnings.flatMap((warning) => {
    const facts = hidingFacts(warning);
    const path = facts?.files[0];
    return facts === undefined || path === undefined ? [] : [{ facts, path, message: warning.message }];
  });
}

const rdjsonSeverities: Readonly<Record<Severity, 'ERROR' | 'WARNING' | 'INFO'>> = {
  critical: 'ERROR',
  high: 'ERROR',
  medium: 'WARNING',
  low: 'WARNING',
  info: 'INFO',
};

/** One document in reviewdog's format. Lines only, since columns would be bytes. */
export function writeRdjson(report: Report): string {
  const hidden = hiddenDiagnostics(report);
  const [worst] = report.findings
    .filter(isOnChange)
    .map(({ finding }) => finding.severity)
    .concat(hidden.length > 0 ? ['medium'] : [])
    .sort((left, right) => severityRank(left) - severityRank(right));
  const value = {
    source: sourceOf(report),
    ...(worst === undefined ? {} : { severity: rdjsonSeverities[worst] }),
    diagnostics: [...hidden, ...report.findings.map((item) => diagnosticOf(item))],
  };
  return `${visibleJson(value, 2)}\n`;
}

export function writeRdjsonl(report: Report): string {
  const source = sourceOf(report);
  const all = [...hiddenDiagnostics(report), ...report.findings.map((item) => diagnosticOf(item))];
  return all.map((diagnostic) => `${visibleJson({ ...diagnostic, source })}\n`).join('');
}

function hiddenDiagnostics(report: Report) {
  return hiddenIn(report).map(({ path, message }) => ({
    message: markdownLine(message),
    location: { path },
    severity: rdjsonSeverities.medium,
    code: { value: 'hidden' },
  }));
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
    severity: rdjsonSeverities[severity],
    code: { value: category },
    ...(suggestion === undefined
      ? {}
      : { suggestions: [{ range: rangeOf(suggestion), text: suggestion.replacement }] }),
  };
}

function rangeOf({ startLine, endLine }: LineRange) {
  return { start: { line: startLine }, end: { line: endLine } };
}
