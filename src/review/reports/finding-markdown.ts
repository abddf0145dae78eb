// One finding as an item of a Markdown list. Its lines are indented, so that no foreign text ever begins a line of the comment.
import type { Finding } from '../findings/finding.js';
import { codeBlock, codeSpan } from './markdown-code.js';
import { markdownLine, markdownText } from './markdown-text.js';
import { pathUri } from './path-uri.js';
import type { ReportedFinding } from './report.js';
import { type ReportLanguage, reportWords } from './report-language.js';

export interface FindingOptions {
  readonly language?: ReportLanguage | undefined;
  /** Where files can be looked at, for example `https://host/owner/repository/blob/<commit>`; trusted. */
  readonly fileBase?: string | undefined;
}

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
    ...(finding.suggestion === undefined
      ? []
      : [
          finding.suggestion.replacement === ''
            ? words.deletion
            : `${words.replacement}\n\n${codeBlock(finding.suggestion.replacement)}`,
        ]),
  ];
  return listItem(parts.join('\n\n'));
}

export function findingLine(finding: Finding, language?: ReportLanguage): string {
  const severity = reportWords(language).severity(finding.severity);
  return `- **${markdownLine(finding.title)}** · ${severity} · ${placeText(finding, { language })}`;
}

function listItem(text: string): string {
  return `- ${text
    .split('\n')
    .map((line, at) => (at === 0 || line === '' ? line : `  ${line}`))
    .join('\n')}`;
}

function placeText(
  { path, side, startLine, endLine }: Finding,
  { fileBase, language }: FindingOptions,
): string {
  const lines = startLine === 0 ? '' : startLine === endLine ? `:${startLine}` : `:${startLine}-${endLine}`;
  const label = `${codeSpan(`${path}${lines}`)}${side === 'old' ? reportWords(language).beforeChange : ''}`;
  if (fileBase === undefined || side === 'old') return label;
  const anchor = startLine === 0 ? '' : `#L${startLine}${endLine > startLine ? `-L${endLine}` : ''}`;
  return `[${label}](<${fileBase.replace(/\/$/, '')}/${pathUri(path)}${anchor}>)`;
}
