// One finding as an item of a Markdown list. Its lines are indented, so that no foreign text ever begins a line of the comment.
import type { Finding } from '../findings/finding.js';
import { summaryReasons } from '../findings/placed-finding.js';
import { codeBlock, codeSpan } from './markdown-code.js';
import { markdownLine, markdownText } from './markdown-text.js';
import { pathUri } from './path-uri.js';
import type { ReportedFinding } from './report.js';

export interface FindingLinks {
  /** Where files can be looked at, for example `https://host/owner/repository/blob/<commit>`; trusted. */
  readonly fileBase?: string | undefined;
}

export function findingItem({ finding, place, standing }: ReportedFinding, links: FindingLinks = {}): string {
  const percent = Math.round(finding.confidence * 100);
  const facts = [finding.severity, finding.category, `${percent}%`, ...(standing === 'new' ? ['new'] : [])];
  const parts = [
    `**${markdownLine(finding.title)}** · ${facts.map(markdownLine).join(' · ')}`,
    `${placeText(finding, links)}${place.kind === 'summary' ? ` (${summaryReasons[place.reason]})` : ''}`,
    ...(finding.message.trim() === finding.title.trim() ? [] : [markdownText(finding.message)]),
    ...(finding.evidence.trim() === '' ? [] : [codeBlock(finding.evidence)]),
    ...(finding.suggestion === undefined
      ? []
      : [
          finding.suggestion.replacement === ''
            ? 'Suggested: delete these lines.'
            : `Suggested instead:\n\n${codeBlock(finding.suggestion.replacement)}`,
        ]),
  ];
  return listItem(parts.join('\n\n'));
}

export function findingLine(finding: Finding): string {
  return `- **${markdownLine(finding.title)}** · ${finding.severity} · ${placeText(finding)}`;
}

function listItem(text: string): string {
  return `- ${text
    .split('\n')
    .map((line, at) => (at === 0 || line === '' ? line : `  ${line}`))
    .join('\n')}`;
}

function placeText({ path, side, startLine, endLine }: Finding, { fileBase }: FindingLinks = {}): string {
  const lines = startLine === 0 ? '' : startLine === endLine ? `:${startLine}` : `:${startLine}-${endLine}`;
  const label = `${codeSpan(`${path}${lines}`)}${side === 'old' ? ' (before the change)' : ''}`;
  if (fileBase === undefined || side === 'old') return label;
  const anchor = startLine === 0 ? '' : `#L${startLine}${endLine > startLine ? `-L${endLine}` : ''}`;
  return `[${label}](<${fileBase.replace(/\/$/, '')}/${pathUri(path)}${anchor}>)`;
}
