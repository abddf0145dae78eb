// Where do paragraphs end? Ranges tile the text; blank lines belong to the paragraph before them.
// Chinese lines are paragraphs of their own; hard-wrapped Latin lines belong together until a blank line or a finished sentence.
import { isBlank, isCloser, isEastAsian, isStop } from './characters.js';
import { type IndexedText, indexText } from './indexed-text.js';
import type { TextRange } from './text-range.js';
import { tile } from './tile.js';

const lineOfItsOwn =
  /^\s{0,3}(#{1,6}\s|[-*+]\s|\d{1,3}[.)、]\s?|>|```|~~~|\||(-{3,}|\*{3,}|_{3,})\s*$)|^[\u3000\t]/;
const heading = /^\s{0,3}#{1,6}\s/;

export function paragraphs(text: string | IndexedText): TextRange[] {
  const indexed = indexText(text);
  return tile(indexed, 0, paragraphEnds(indexed.text, 0, indexed.text.length));
}

/** Code units at which a paragraph of `[from, to)` ends, the last one being `to`. */
export function paragraphEnds(text: string, from: number, to: number): number[] {
  const ends: number[] = [];
  let seenText = false;
  for (let start = from; start < to; ) {
    const end = lineEnd(text, start, to);
    const line = text.slice(start, end);
    seenText ||= line.trim() !== '';
    if (end < to && seenText && endsParagraph(line, text.slice(end, lineEnd(text, end, to)))) {
      let border = end;
      for (let next = lineEnd(text, border, to); border < to; next = lineEnd(text, border, to)) {
        if (text.slice(border, next).trim() !== '') break;
        border = next;
      }
      if (border < to) ends.push(border);
      seenText = false;
      start = border;
    } else start = end;
  }
  if (to > from) ends.push(to);
  return ends;
}

/** The start of the paragraph that holds a code unit, looked for in a bounded stretch before it. */
export function paragraphStart(text: string, unit: number, reach: number): number {
  const floor = Math.max(0, unit - reach);
  let start = lineStart(text, unit, floor);
  while (start > floor) {
    const before = lineStart(text, start - 1, floor);
    const line = text.slice(before, start);
    const next = text.slice(start, lineEnd(text, start, text.length));
    // A blank line never begins a paragraph.
    if (next.trim() !== '' && (line.trim() === '' || endsParagraph(line, next))) return start;
    start = before;
  }
  return start;
}

function endsParagraph(line: string, next: string): boolean {
  if (next.trim() === '' || lineOfItsOwn.test(next) || heading.test(line)) return true;
  const words = line.trimEnd();
  const last = words.at(-1) ?? '';
  return isEastAsian(last) || isStop(last) || (isCloser(last) && isStop(words.at(-2) ?? ''));
}

function lineEnd(text: string, start: number, to: number): number {
  const at = text.indexOf('\n', start);
  return at < 0 || at >= to ? to : at + 1;
}

function lineStart(text: string, unit: number, floor: number): number {
  if (unit <= floor) return floor;
  const at = text.lastIndexOf('\n', unit - 1);
  return at < floor ? floor : at + 1;
}

/** Leaves out the white space around a range of code units. */
export function withoutBlanks(text: string, start: number, end: number): { start: number; end: number } {
  let from = start;
  let to = end;
  while (from < to && isBlank(text.charAt(from))) from += 1;
  while (to > from && isBlank(text.charAt(to - 1))) to -= 1;
  return { start: from, end: to };
}
