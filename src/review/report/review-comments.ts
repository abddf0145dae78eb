// What a forge is told of a review: a finding as a comment on its lines, and the mark by which we find our own summary again.
import { hashText } from '../../meters/content-hash.js';
import type { ReviewFinding } from '../findings/finding.js';
import { codeBlock, codeSpan, markdownLine, markdownText } from './markdown.js';
import { type ReportLanguage, reportWords } from './report-words.js';

export interface CommentOptions {
  readonly language?: ReportLanguage | undefined;
  /** What opens a block that a reader can commit with one click; without it the replacement is plain code. */
  readonly suggestionFence?: string | undefined;
}

/** One finding as a comment on its lines. */
export function commentBody(
  finding: ReviewFinding,
  { language, suggestionFence }: CommentOptions = {},
): string {
  const severity = reportWords(language).severity(finding.severity);
  const parts = [
    `**${markdownLine(finding.title)}** · ${severity} · ${codeSpan(finding.category)}`,
    ...(finding.message.trim() === finding.title.trim() ? [] : [markdownText(finding.message)]),
    ...(finding.suggestion === undefined || suggestionFence === undefined
      ? remedyText(finding, language)
      : [suggestionBlock(finding.suggestion.replacement, suggestionFence)]),
  ];
  return `${parts.join('\n\n')}\n`;
}

/** For readers who apply it by hand: what is suggested, or what only shows the way. */
export function remedyText(
  { suggestion, remedy }: Pick<ReviewFinding, 'suggestion' | 'remedy'>,
  language?: ReportLanguage,
): string[] {
  const words = reportWords(language);
  if (suggestion?.replacement === '') return [words.deletion];
  if (suggestion !== undefined) return [`${words.replacement}\n\n${codeBlock(suggestion.replacement)}`];
  return remedy === undefined ? [] : [`${words.remedy}\n\n${codeBlock(remedy)}`];
}

/** The bytes inside are committed, so they are not made visible here: hidden ones were refused before. */
function suggestionBlock(replacement: string, opening: string): string {
  const text = replacement.replaceAll('\r\n', '\n');
  const longest = Math.max(2, ...(text.match(/`+/g)?.map((run) => run.length) ?? []));
  const fence = '`'.repeat(longest + 1);
  // An empty block deletes the lines; one with an empty line would leave a blank.
  return `${fence}${opening}\n${text === '' ? '' : `${text}\n`}${fence}`;
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

/** Whether the comment still says what it was written with: somebody may have edited it. */
export function isUntouched(comment: string): boolean {
  const marker = readMarker(comment);
  const body = comment.slice(comment.indexOf('\n') + 1).replaceAll('\r\n', '\n');
  return marker !== undefined && [body, `${body}\n`].some((text) => hashText(text) === marker.digest);
}
