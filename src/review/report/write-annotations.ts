// The report as GitHub workflow commands. GitHub shows a few per step and silently drops the others, so the others go to the
// step summary, and a notice says so.
import { hidingFacts } from '../change/hiding.js';
import type { ReviewFinding, Severity } from '../findings/finding.js';
import { currentLines, plainMessage, plainTitle } from './machine-text.js';
import type { Report, ReportedFinding } from './report.js';
import { type ReportLanguage, type ReportWords, reportWords } from './report-words.js';
import { findingItem } from './write-markdown.js';

type Command = 'error' | 'warning' | 'notice';

const commands: Readonly<Record<Severity, Command>> = {
  critical: 'error',
  high: 'error',
  medium: 'warning',
  low: 'warning',
  info: 'notice',
};
const annotationLimits = { perStep: { error: 10, warning: 10, notice: 10 }, perJob: 50 } as const;

interface Annotations {
  /** For standard output, one command a line. */
  readonly commands: string;
  readonly shown: readonly ReportedFinding[];
  readonly rest: readonly ReportedFinding[];
  /** Markdown for the step summary; empty when everything is shown. */
  readonly summary: string;
}

interface AnnotationOptions {
  readonly usedInJob?: number | undefined;
  readonly language?: ReportLanguage | undefined;
}

export function writeAnnotations(
  report: Report,
  { usedInJob = 0, language }: AnnotationOptions = {},
): Annotations {
  const words = reportWords(language);
  const placeable = report.findings.filter(
    ({ finding, place }) => place.kind === 'anchored' && currentLines(finding) !== undefined,
  );
  // What the change hides of itself comes before what was found in the rest.
  const hidden = report.warnings.flatMap((warning) => {
    const facts = hidingFacts(warning);
    return facts === undefined ? [] : [words.hidden(facts, warning.message)];
  });
  const { perStep, perJob } = annotationLimits;
  const chosen = (reserved: number) => {
    const left = { ...perStep, warning: perStep.warning - hidden.length, notice: perStep.notice - reserved };
    let room = perJob - usedInJob - reserved - hidden.length;
    return placeable.filter(({ finding }) => {
      const command = commands[finding.severity];
      if (room <= 0 || left[command] <= 0) return false;
      room -= 1;
      left[command] -= 1;
      return true;
    });
  };
  const all = chosen(0);
  const whole = all.length === report.findings.length;
  const shown = whole ? all : chosen(1);
  const among = new Set(shown);
  const rest = report.findings.filter((item) => !among.has(item));
  const note = words.notAnnotated(rest.length, report.findings.length);
  const title = escapeProperty(report.tool.name);
  const lines = [
    ...hidden.map((text) => `::warning title=${title}::${escapeMessage(text)}`),
    ...shown.map(({ finding }) => commandOf(finding, words)),
  ];
  if (!whole) lines.push(`::notice title=${title}::${escapeMessage(note)}`);
  const summary = whole
    ? ''
    : `${[note, ...rest.map((item) => findingItem(item, { language }))].join('\n\n')}\n`;
  return { commands: lines.map((line) => `${line}\n`).join(''), shown, rest, summary };
}

function commandOf(finding: ReviewFinding, words: ReportWords): string {
  const properties = {
    file: finding.path,
    line: String(finding.startLine),
    endLine: String(finding.endLine),
    title: plainTitle(finding),
  };
  const list = Object.entries(properties).map(([name, value]) => `${name}=${escapeProperty(value)}`);
  return `::${commands[finding.severity]} ${list.join(',')}::${escapeMessage(plainMessage(finding, words))}`;
}

export function escapeMessage(text: string): string {
  return text.replace(/[%\r\n]/g, encoded);
}

export function escapeProperty(text: string): string {
  return text.replace(/[%\r\n:,]/g, encoded);
}

function encoded(character: string): string {
  return `%${character.charCodeAt(0).toString(16).toUpperCase().padStart(2, '0')}`;
}
