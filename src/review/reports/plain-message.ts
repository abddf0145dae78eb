// A finding as plain words for formats without markup: nothing hidden in them, and said where the line is one of the old file.

import { showHidden } from '../../cleaning/hidden-characters.js';
import type { Finding } from '../findings/finding.js';
import { reportWords } from './report-language.js';
import type { ReportWords } from './report-words.js';

export function plainMessage(finding: Finding, words: ReportWords = reportWords()): string {
  const { title, message, side, startLine } = finding;
  const place = side === 'old' && startLine > 0 ? words.lineBefore(startLine) : '';
  const said = message.trim().startsWith(title.trim()) ? message : `${title}\n\n${message}`;
  return `${showHidden(said).trim()}${place}`;
}

export function plainTitle(finding: Finding): string {
  return showHidden(finding.title).replace(/\s+/g, ' ').trim();
}

export function onOneLine(text: string): string {
  return text.replace(/\s+/g, ' ').trim();
}

/** Lines of the file as it is now; a remark on removed lines has none. */
export function currentLines(finding: Finding): { startLine: number; endLine: number } | undefined {
  if (finding.side === 'old' || finding.startLine === 0) return undefined;
  return { startLine: finding.startLine, endLine: finding.endLine };
}
