// Where do paragraphs end? Ranges tile the text; blank lines belong to the paragraph before them.
// Chinese lines are paragraphs of their own; hard-wrapped Latin lines belong together until a blank line or a finished sentence.

import { codePointBorder } from '../../core/model/code-points.js';
import { type IndexedText, indexText, type TextRange } from './indexed-text.js';

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

// Where do sentences end, in Chinese and in English? Ranges tile the text; white space belongs to the sentence before it.
const neverLast = new Set(
  'mr mrs ms dr prof rev hon st sr jr gen col maj capt lt sgt gov sen rep pres vs no nos fig figs eq vol ch sec pp p cf ca eg ie e.g i.e al jan feb mar apr jun jul aug sep sept oct nov dec mt ft dept est approx'.split(
    ' ',
  ),
);

export function sentences(text: string | IndexedText): TextRange[] {
  const indexed = indexText(text);
  return tile(indexed, 0, sentenceEnds(indexed.text, 0, indexed.text.length));
}

/** Code units at which a sentence of `[from, to)` ends; every paragraph end is one of them. */
export function sentenceEnds(text: string, from: number, to: number): number[] {
  const ends: number[] = [];
  let start = from;
  for (const end of paragraphEnds(text, from, to)) {
    collectEnds(text, { start, end }, ends);
    start = end;
  }
  return ends;
}

function collectEnds(text: string, paragraph: { start: number; end: number }, ends: number[]): void {
  const { start, end } = paragraph;
  let quoteOpen = false;
  for (let unit = start; unit < end; ) {
    const character = text.charAt(unit);
    if (character === '"') quoteOpen = !quoteOpen;
    if (!isStop(character)) {
      unit += 1;
      continue;
    }
    let after = unit + 1;
    while (after < end && isStop(text.charAt(after))) after += 1;
    const stops = text.slice(unit, after);
    while (after < end && isCloser(text.charAt(after))) {
      const straight = text.charAt(after) === '"';
      // A straight quote that opens belongs to the next sentence.
      if (straight && !quoteOpen) break;
      if (straight) quoteOpen = false;
      after += 1;
    }
    if (isEnd(text, { start, end, unit, after, stops })) {
      while (after < end && isBlank(text.charAt(after))) after += 1;
      if (after < end) ends.push(after);
    }
    unit = after;
  }
  if (end > start) ends.push(end);
}

interface Stop {
  readonly start: number;
  readonly end: number;
  readonly unit: number;
  /** Behind the stops and the closing quotes that follow them. */
  readonly after: number;
  readonly stops: string;
}

function isEnd(text: string, stop: Stop): boolean {
  const { stops, after, end } = stop;
  const next = after < end ? text.charAt(after) : '';
  if (next !== '' && '，、；：,;:'.includes(next)) return false;
  if (/[。！？｡]/.test(stops)) return true;
  const before = text.charAt(stop.unit - 1);
  if (stops === '．') return !(isDigit(before) && isDigit(next));
  if (stops.includes('……') || stops.startsWith('......')) return true;
  if (next !== '' && !isBlank(next)) return isEastAsian(next) && (isEastAsian(before) || /[!?]/.test(stops));
  const following = firstWord(text, after, end);
  if (/^\p{Ll}/u.test(following)) return false;
  return stops !== '.' || !isAbbreviated(text, stop);
}

function firstWord(text: string, from: number, end: number): string {
  let unit = from;
  while (unit < end && (isBlank(text.charAt(unit)) || '"\'“‘([*_'.includes(text.charAt(unit)))) unit += 1;
  return text.slice(unit, unit + 2);
}

function isAbbreviated(text: string, stop: Stop): boolean {
  let from = stop.unit;
  while (from > stop.start && /[\p{L}\p{N}.]/u.test(text.charAt(from - 1))) from -= 1;
  const word = text.slice(from, stop.unit);
  if (/^\d{1,3}$/.test(word)) return text.slice(stop.start, from).trim() === '';
  return (/^\p{Lu}$/u.test(word) && word !== 'I') || neverLast.has(word.toLowerCase());
}

// Where may a sentence be cut when it is too long? After commas and their kin, else at white space, else anywhere.
const pauses = new Set('，、；：,;:—');

/** Code units at which a clause of `[from, to)` ends, the last one being `to`. */
export function clauseEnds(text: string, from: number, to: number): number[] {
  const ends: number[] = [];
  for (let unit = from; unit < to; unit += 1) {
    if (!pauses.has(text.charAt(unit)) || isDigit(text.charAt(unit + 1))) continue;
    let after = unit + 1;
    while (after < to && (isCloser(text.charAt(after)) || isBlank(text.charAt(after)))) after += 1;
    if (after < to) ends.push(after);
    unit = after - 1;
  }
  if (to > from) ends.push(to);
  return ends;
}

/** Ends that cut `[from, to)` into parts of at most `most` code units, at clause ends where there are any. */
export function boundedEnds(text: string, range: { from: number; to: number }, most: number): number[] {
  const { from, to } = range;
  if (to - from <= most) return to > from ? [to] : [];
  const ends: number[] = [];
  let start = from;
  let reached = from;
  for (const end of clauseEnds(text, from, to)) {
    if (end - start > most && reached > start) {
      ends.push(reached);
      start = reached;
    }
    while (end - start > most) {
      start = cutAt(text, start, most);
      ends.push(start);
    }
    reached = end;
  }
  if (to > start) ends.push(to);
  return ends;
}

function cutAt(text: string, start: number, most: number): number {
  const latest = start + Math.max(2, most);
  // Only so far back as it counts: a text without blanks would be searched to its beginning every time.
  const nearest = start + Math.floor(most / 2) + 1;
  const space = text.slice(nearest, latest).lastIndexOf(' ');
  if (space >= 0) return nearest + space + 1;
  return codePointBorder(text, latest);
}

// Turns ascending ends in code units into neighbouring ranges in code points.
function tile(indexed: IndexedText, from: number, ends: readonly number[]): TextRange[] {
  let start = indexed.positionAt(from);
  return ends.map((unit) => {
    const range = { start, end: indexed.positionAt(unit) };
    start = range.end;
    return range;
  });
}

// Which kind of character is this? Small closed sets, asked by code unit while scanning.
const closers = new Set('”’」』）】》〉〕］｝)]}»›"\'＂');
const stops = new Set('。！？｡．!?.…‥');

function isCloser(character: string): boolean {
  return closers.has(character);
}

function isStop(character: string): boolean {
  return stops.has(character);
}

function isBlank(character: string): boolean {
  return character !== '' && /\s/.test(character);
}

function isDigit(character: string): boolean {
  return (character >= '0' && character <= '9') || (character >= '０' && character <= '９');
}

/** Han, kana, hangul and their punctuation: scripts that put no space between sentences. */
function isEastAsian(character: string): boolean {
  const unit = character.charCodeAt(0);
  return (
    (unit >= 0x2e80 && unit <= 0xa4cf) ||
    (unit >= 0xac00 && unit <= 0xd7af) ||
    (unit >= 0xf900 && unit <= 0xfaff) ||
    (unit >= 0xfe30 && unit <= 0xfe4f) ||
    (unit >= 0xff00 && unit <= 0xffef) ||
    (unit >= 0xd840 && unit <= 0xd88f)
  );
}
