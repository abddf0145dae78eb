// The review as one comment that is updated in place. What does not fit is counted in the comment, never dropped in silence.
import { hidingFacts } from '../change/hiding.js';
import { type ReviewFinding, severities } from '../findings/finding.js';
import { pathUri } from './machine-text.js';
import { codeBlock, codeSpan, markdownLine, markdownText } from './markdown.js';
import { exactlyCounted, type HoldReason, isOnChange, type Report, type ReportedFinding } from './report.js';
import { type ReportLanguage, type ReportWords, reportWords } from './report-words.js';
import { markComment, remedyText } from './review-comments.js';

interface MarkdownOptions extends FindingOptions {
  /** The coverage in that language; without it the line of the report. */
  readonly coverage?: string | undefined;
  readonly key?: string | undefined;
  /** GitHub takes 65,536 characters. */
  readonly maxCharacters?: number | undefined;
}

const smallest = 2000;

export function writeMarkdown(report: Report, options: MarkdownOptions = {}): string {
  const room = Math.max(smallest, options.maxCharacters ?? 65_000) - 400;
  const { language, coverage = report.coverage } = options;
  const words = reportWords(language);
  const head = headText(report, words, coverage);
  const tail = tailText(report, Math.floor(room / 4), language);
  let left = room - head.length - tail.length;
  const blocks: string[] = [];
  const unsaid: ReportedFinding[] = [];
  const elsewhere = report.findings.filter((item) => !isOnChange(item));
  for (const item of [...report.findings.filter(isOnChange), ...elsewhere]) {
    const title = item === elsewhere[0] ? `${words.elsewhere(elsewhere.length)}\n\n` : '';
    const full = title + findingItem(item, options);
    const block = full.length + 2 <= left ? full : title + findingLine(item.finding, { language });
    if (block.length + 2 <= left) {
      blocks.push(block);
      left -= block.length + 2;
    } else unsaid.push(item);
  }
  if (unsaid.length > 0) blocks.push(words.noRoom(countsOf(unsaid, words)));
  const body = [head, ...blocks, tail].filter((part) => part !== '').join('\n\n');
  return markComment(`${body}\n`, options.key);
}

function headText(
  { findings, tool, summary, complete, warnings }: Report,
  words: ReportWords,
  coverage?: string,
): string {
  const placed = findings.filter(isOnChange);
  const fresh = placed.filter(({ standing }) => standing === 'new').length;
  const none = placed.length === findings.length ? words.noFindings(complete) : words.noneOnChange;
  const result =
    placed.length === 0
      ? none
      : words.result(countsOf(placed, words), { fresh, still: placed.length - fresh });
  return [
    `### ${words.title(markdownLine(tool.name))}`,
    ...warnings.flatMap((warning) => {
      const facts = hidingFacts(warning);
      return facts === undefined
        ? []
        : [`${words.notRead} ${markdownLine(words.hidden(facts, warning.message))}`];
    }),
    ...summaryLines(summary, words),
    result,
    ...(complete ? [] : [words.incomplete]),
    ...(coverage === undefined ? [] : [markdownLine(coverage.slice(0, 1000).toWellFormed())]),
  ].join('\n\n');
}

/** One line as a sentence, several as a list. */
function summaryLines(summary: Report['summary'], words: ReportWords): string[] {
  const lines = (summary?.lines ?? []).map((line) => markdownLine(line));
  const more = summary === undefined || summary.more === 0 ? [] : [words.morePages(summary.more)];
  const all = [...lines, ...more];
  return all.length < 2 ? all : [all.map((line) => `- ${line}`).join('\n')];
}

function tailText(report: Report, room: number, language: ReportLanguage | undefined): string {
  const { resolved, unchecked, held, duplicates } = report;
  const words = reportWords(language);
  const lines: string[] = [];
  const list = (title: string, all: readonly string[], most: number) => {
    const listed: string[] = [];
    let used = 0;
    for (const line of all) {
      used += line.length + 1;
      if (used > most) break;
      listed.push(line);
    }
    const more = all.length - listed.length;
    if (all.length > 0)
      lines.push([title, '', ...listed, ...(more > 0 ? [`- ${words.more(more)}`] : [])].join('\n'));
  };
  const refuted = held.filter(({ reason }) => reason === 'refuted');
  const share = Math.floor(room / (refuted.length > 0 && resolved.length > 0 ? 2 : 1));
  list(
    words.resolved,
    resolved.map((finding) => findingLine(finding, { language })),
    share,
  );
  list(
    words.refuted,
    refuted.map(
      ({ item }) => `${findingLine(item.finding, { language })} · ${markdownLine(item.refuted ?? '')}`,
    ),
    share,
  );
  const counted = (wanted: HoldReason) => held.filter(({ reason }) => reason === wanted).length;
  const facts = {
    ...{ refuted: refuted.length, exempt: counted('exempt') },
    ...{ below: counted('below-threshold'), over: counted('over-cap') },
    ...{ twice: duplicates, unchecked: unchecked.length },
  };
  if (Object.values(facts).some((n) => n > 0)) lines.push(words.notShown(facts));
  return lines.join('\n\n');
}

function countsOf(findings: readonly ReportedFinding[], words: ReportWords): string {
  const numbers = exactlyCounted(findings);
  return words.counts(
    severities.flatMap((severity) => (numbers[severity] > 0 ? [[severity, numbers[severity]] as const] : [])),
  );
}

interface FindingOptions {
  readonly language?: ReportLanguage | undefined;
  /** Where files can be looked at, for example `https://host/owner/repository/blob/<commit>`; trusted. */
  readonly fileBase?: string | undefined;
}

/** As an item of a list: its lines are indented, so that no foreign text ever begins a line of the comment. */
export function findingItem(
  { finding, place, standing }: ReportedFinding,
  options: FindingOptions = {},
): string {
  const words = reportWords(options.language);
  const percent = Math.round(finding.confidence * 100);
  const standings = standing === 'new' ? [words.isNew] : [];
  const facts = [words.severity(finding.severity), finding.category, `${percent}%`, ...standings];
  const parts = [
    `**${markdownLine(finding.title)}** · ${facts.map((fact) => markdownLine(fact)).join(' · ')}`,
    `${placeText(finding, options)}${place.kind === 'summary' ? words.notAnchored(place.reason) : ''}`,
    ...(finding.message.trim() === finding.title.trim() ? [] : [markdownText(finding.message)]),
    ...(finding.evidence.trim() === '' ? [] : [codeBlock(finding.evidence)]),
    ...remedyText(finding, options.language),
  ];
  return listItem(parts.join('\n\n'));
}

export function findingLine(finding: ReviewFinding, options: FindingOptions = {}): string {
  const severity = reportWords(options.language).severity(finding.severity);
  return `- **${markdownLine(finding.title)}** · ${severity} · ${placeText(finding, options)}`;
}

function listItem(text: string): string {
  return `- ${text
    .split('\n')
    .map((line, at) => (at === 0 || line === '' ? line : `  ${line}`))
    .join('\n')}`;
}

function placeText(
  { path, side, startLine, endLine }: ReviewFinding,
  { fileBase, language }: FindingOptions,
): string {
  const lines = startLine === 0 ? '' : startLine === endLine ? `:${startLine}` : `:${startLine}-${endLine}`;
  const label = `${codeSpan(`${path}${lines}`)}${side === 'old' ? reportWords(language).beforeChange : ''}`;
  if (fileBase === undefined || side === 'old') return label;
  const anchor = startLine === 0 ? '' : `#L${startLine}${endLine > startLine ? `-L${endLine}` : ''}`;
  return `[${label}](<${fileBase.replace(/\/$/, '')}/${pathUri(path)}${anchor}>)`;
}
