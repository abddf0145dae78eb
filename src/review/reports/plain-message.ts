// A finding in words for formats that some readers render as Markdown and others do not: nothing in them mentions, links, loads or
// hides, and they read the same either way. Said, too, where the line is one of the old file.
import type { Finding } from '../findings/finding.js';
import type { Signs } from './inline-markdown.js';
import { markdownLine, markdownText } from './markdown-text.js';
import { reportWords } from './report-language.js';
import type { ReportWords } from './report-words.js';

export function plainMessage(finding: Finding, words: ReportWords = reportWords()): string {
  return messageOf(finding, words, 'spanned');
}

/** For formats whose readers render Markdown. */
export function markdownMessage(finding: Finding, words: ReportWords = reportWords()): string {
  return messageOf(finding, words, 'escaped');
}

function messageOf({ title, message, side, startLine }: Finding, words: ReportWords, signs: Signs): string {
  const place = side === 'old' && startLine > 0 ? words.lineBefore(startLine) : '';
  const said = message.trim().startsWith(title.trim()) ? message : `${title}\n\n${message}`;
  const text = markdownText(said.trim(), signs);
  // After a block of code a word on its last line would keep it open.
  return place !== '' && /(?:^|\n)`{3,}$/.test(text) ? `${text}\n\n${place.trim()}` : text + place;
}

export function plainTitle(finding: Finding): string {
  return markdownLine(finding.title, 'spanned');
}

export function onOneLine(text: string): string {
  return text.replace(/\s+/g, ' ').trim();
}

/** Lines of the file as it is now; a remark on removed lines has none. */
export function currentLines(finding: Finding): { startLine: number; endLine: number } | undefined {
  if (finding.side === 'old' || finding.startLine === 0) return undefined;
  return { startLine: finding.startLine, endLine: finding.endLine };
}
