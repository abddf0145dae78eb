// Where does a word stand in a text? Latin words as whole words (a plural or possessive counts), Chinese words anywhere
// except across the border of two other words.
import { foldCodePoint, isSpacedLetter } from '../entities/fold.js';

export interface WordPlace {
  readonly start: number;
  readonly end: number;
}

const window = 16;
const han = /\p{sc=Han}/u;
const segmenter =
  typeof Intl.Segmenter === 'function' ? new Intl.Segmenter('zh', { granularity: 'word' }) : undefined;

export function findWord(text: string, word: string): readonly WordPlace[] {
  const folded = foldText(text);
  const wanted = foldText(word.trim());
  const places: WordPlace[] = [];
  if (wanted === '') return places;
  for (let start = folded.indexOf(wanted); start >= 0; start = folded.indexOf(wanted, start + 1)) {
    const end = wholeWordEnd(folded, start, start + wanted.length);
    if (end !== undefined && !straddlesWords(text, start, end)) places.push({ start, end });
  }
  return places;
}

/** Same length in code units as the text. */
function foldText(text: string): string {
  return text.replace(/[^\u3400-\u9fff]/gu, (point) => {
    const folded = foldCodePoint(point);
    return folded.length === point.length ? folded : point;
  });
}

function wholeWordEnd(text: string, start: number, end: number): number | undefined {
  if (isSpacedLetter(text[start]) && isSpacedLetter(text[start - 1])) return undefined;
  if (!isSpacedLetter(text[end - 1])) return end;
  const plural = /^(?:e?s)(?![\p{L}\p{N}_])/u.exec(text.slice(end, end + 3))?.[0] ?? '';
  return isSpacedLetter(text[end + plural.length]) ? undefined : end + plural.length;
}

/** 天才 in 今天才 or 三天才: some other word takes a part of it. In doubt it is not reported. */
function straddlesWords(text: string, start: number, end: number): boolean {
  if (segmenter === undefined || !han.test(text[start]!)) return false;
  const follows = start > 0 && han.test(text[start - 1]!);
  if (!follows) return false;
  if (end - start === 2 && isOneWord(text.slice(start - 1, start + 1))) return true;
  const from = Math.max(0, start - window);
  for (const { index, segment } of segmenter.segment(text.slice(from, end + window))) {
    const wordStart = from + index;
    const wordEnd = wordStart + segment.length;
    if (wordStart < start && start < wordEnd && wordEnd < end) return true;
    // Longer words are too special to be chance.
    if (end - start === 2 && start < wordStart && wordStart < end && end < wordEnd) return true;
  }
  return false;
}

function isOneWord(text: string): boolean {
  return [...segmenter!.segment(text)].length === 1;
}
