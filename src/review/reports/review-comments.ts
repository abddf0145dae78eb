// The anchored findings as comments of one batched review, in the fields GitHub's review call takes.
import type { Finding } from '../findings/finding.js';
import { codeSpan } from './markdown-code.js';
import { markdownLine, markdownText } from './markdown-text.js';
import type { Report } from './report.js';
import { type ReportLanguage, reportWords } from './report-language.js';

export interface ReviewComment {
  readonly path: string;
  readonly side: 'LEFT' | 'RIGHT';
  readonly line: number;
  readonly start_line?: number;
  readonly start_side?: 'LEFT' | 'RIGHT';
  readonly body: string;
}

/** Only what is new: what is still there has its comment already. */
export function reviewComments(report: Report, language?: ReportLanguage): ReviewComment[] {
  return report.findings
    .filter(({ place, standing }) => place.kind === 'anchored' && standing === 'new')
    .map(({ finding }) => {
      const side = finding.side === 'new' ? 'RIGHT' : 'LEFT';
      return {
        path: finding.path,
        side,
        line: finding.endLine,
        ...(finding.startLine < finding.endLine ? { start_line: finding.startLine, start_side: side } : {}),
        body: commentBody(finding, language),
      };
    });
}

function commentBody(finding: Finding, language: ReportLanguage | undefined): string {
  const severity = reportWords(language).severity(finding.severity);
  const parts = [
    `**${markdownLine(finding.title)}** · ${severity} · ${codeSpan(finding.category)}`,
    ...(finding.message.trim() === finding.title.trim() ? [] : [markdownText(finding.message)]),
    ...(finding.suggestion === undefined ? [] : [suggestionBlock(finding.suggestion.replacement)]),
  ];
  return `${parts.join('\n\n')}\n`;
}

/** The bytes inside are committed, so they are not made visible here: hidden ones were refused before. */
function suggestionBlock(replacement: string): string {
  const text = replacement.replaceAll('\r\n', '\n');
  const longest = Math.max(2, ...(text.match(/`+/g)?.map((run) => run.length) ?? []));
  const fence = '`'.repeat(longest + 1);
  // An empty block deletes the lines; one with an empty line would leave a blank.
  return `${fence}suggestion\n${text === '' ? '' : `${text}\n`}${fence}`;
}
