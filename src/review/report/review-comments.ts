// What a forge is told of a review: the anchored findings as comments of one batched review, and the mark by which we find our own
// summary again.
import { hashText } from '../../meters/content-hash.js';
import type { ReviewFinding } from '../findings/finding.js';
import { codeSpan, markdownLine, markdownText } from './markdown.js';
import type { Report } from './report.js';
import { type ReportLanguage, reportWords } from './report-words.js';

interface ReviewComment {
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

function commentBody(finding: ReviewFinding, language: ReportLanguage | undefined): string {
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

interface CommentMarker {
  /** Which of several reviews of one change this comment belongs to. */
  readonly key: string;
  /** SHA-256 of everything below the marker. */
  readonly digest: string;
}

const pattern = /^<!-- galley:review key=([\w.-]{1,64}) digest=([0-9a-f]{64}) -->(?:\r?\n|$)/;

/** A hidden first line, by which the comment is found again and seen to say nothing new. */
export function markComment(body: string, key = 'default'): string {
  const safe =
    key
      .replace(/[^\w.-]+/g, '-')
      .replace(/-{2,}/g, '-')
      .slice(0, 64) || 'default';
  return `<!-- galley:review key=${safe} digest=${hashText(body)} -->\n${body}`;
}

/** Only a first line counts: quoted text further down cannot pretend to be ours. */
export function readMarker(comment: string): CommentMarker | undefined {
  const match = pattern.exec(comment);
  return match === null ? undefined : { key: match[1]!, digest: match[2]! };
}

/** What to do with the comment of the last push: nothing new means silence. */
export function commentAction(existing: string | undefined, next: string): 'create' | 'update' | 'keep' {
  if (existing === undefined) return 'create';
  const [before, after] = [readMarker(existing), readMarker(next)];
  return before !== undefined && before.key === after?.key && before.digest === after.digest
    ? 'keep'
    : 'update';
}
