// What the formats for machines share. Some readers render a message as Markdown and others do not: nothing in it mentions, links,
// loads or hides, and it reads the same either way.
import type { LineRange } from '../../code/range-evidence.js';
import type { ReviewFinding } from '../findings/finding.js';
import { markdownLine, markdownText, type Signs } from './markdown.js';
import { type ReportWords, reportWords } from './report-words.js';
import { remedyText } from './review-comments.js';

export function plainMessage(finding: ReviewFinding, words: ReportWords = reportWords()): string {
  return messageOf(finding, words, 'spanned');
}

/** For formats whose readers render Markdown; suggestions have a place of their own there, remedies have none. */
export function markdownMessage({ suggestion: _, ...finding }: ReviewFinding): string {
  return [messageOf(finding, reportWords(), 'escaped'), ...remedyText(finding)].join('\n\n');
}

function messageOf(
  { title, message, side, startLine }: ReviewFinding,
  words: ReportWords,
  signs: Signs,
): string {
  const place = side === 'old' && startLine > 0 ? words.lineBefore(startLine) : '';
  const said = message.trim().startsWith(title.trim()) ? message : `${title}\n\n${message}`;
  const text = markdownText(said.trim(), signs);
  // After a block of code a word on its last line would keep it open.
  return place !== '' && /(?:^|\n)`{3,}$/.test(text) ? `${text}\n\n${place.trim()}` : text + place;
}

export function plainTitle(finding: ReviewFinding): string {
  return markdownLine(finding.title, 'spanned');
}

export function onOneLine(text: string): string {
  return text.replace(/\s+/g, ' ').trim();
}

/** Lines of the file as it is now; a remark on removed lines has none. */
export function currentLines(finding: ReviewFinding): LineRange | undefined {
  if (finding.side === 'old' || finding.startLine === 0) return undefined;
  return { startLine: finding.startLine, endLine: finding.endLine };
}

const hidden =
  /[\p{Cf}\p{Zl}\p{Zp}\p{Cs}\p{Default_Ignorable_Code_Point}\p{Noncharacter_Code_Point}\u2800\x7f-\x9f]/gu;

/** JSON in which nothing hides: characters that cannot be seen are written as escapes and read back as they were. */
export function visibleJson(value: unknown, indent = 0): string {
  return JSON.stringify(value, null, indent).replace(hidden, (character) =>
    Array.from(
      { length: character.length },
      (_, at) => `\\u${character.charCodeAt(at).toString(16).padStart(4, '0')}`,
    ).join(''),
  );
}

/** Every segment percent-encoded, so that no path is taken for a scheme, query or host. */
export function pathUri(path: string): string {
  return path.toWellFormed().split('/').map(encodeSegment).join('/');
}

function encodeSegment(segment: string): string {
  return encodeURIComponent(segment).replace(
    /[!'()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );
}
