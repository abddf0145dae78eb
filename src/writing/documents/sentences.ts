// Where do sentences end, in Chinese and in English? Ranges tile the text; white space belongs to the sentence before it.
import { isBlank, isCloser, isDigit, isEastAsian, isStop } from './characters.js';
import { type IndexedText, indexText } from './indexed-text.js';
import { paragraphEnds } from './paragraphs.js';
import type { TextRange } from './text-range.js';
import { tile } from './tile.js';

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
