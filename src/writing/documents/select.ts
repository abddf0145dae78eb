// Which stretch of a chapter is meant, in words people have for it: a quotation, paragraphs, lines. Refusals say where and how often,
// never what.
import { GalleyError } from '../../core/model/error.js';
import { paragraphEnds, withoutBlanks } from './borders.js';
import { frontLength } from './front-matter.js';
import { indexText, type TextRange } from './indexed-text.js';

export interface Choice {
  /** Words it begins with; to the end of the chapter without `to`. */
  readonly from?: string | undefined;
  /** Words it ends with; from the start of the chapter without `from`. */
  readonly to?: string | undefined;
  /** One or two numbers, such as 3 or 3-5. */
  readonly paragraphs?: string | undefined;
  readonly lines?: string | undefined;
}

/** In code points; undefined when nothing is chosen. */
export function selectionIn(text: string, choice: Choice): TextRange | undefined {
  const { from, to, paragraphs, lines } = choice;
  const ways = [from ?? to, paragraphs, lines].filter((way) => way !== undefined);
  if (ways.length === 0) return undefined;
  if (ways.length > 1)
    throw refused('--from', 'choose by quotation, by paragraph or by line, not by several of them');
  const range =
    paragraphs !== undefined
      ? betweenEnds(
          paragraphEnds(text, frontLength(text), text.length),
          numbersOf(paragraphs, '--paragraph'),
          '--paragraph',
        )
      : lines !== undefined
        ? betweenEnds(lineEnds(text), numbersOf(lines, '--lines'), '--lines')
        : quoted(text, from, to);
  const { start, end } = withoutBlanks(text, Math.max(frontLength(text), range.start), range.end);
  const indexed = indexText(text);
  return { start: indexed.positionAt(start), end: indexed.positionAt(end) };
}

/** The code point behind a quotation. */
export function placeAfter(text: string, quotation: string): number {
  return indexText(text).positionAt(onlyPlace(text, quotation, { flag: '--after', from: 0 }).end);
}

function quoted(text: string, from: string | undefined, to: string | undefined): TextRange {
  const first = from === undefined ? undefined : onlyPlace(text, from, { flag: '--from', from: 0 });
  const start = first?.start ?? 0;
  // What ends the stretch may overlap with what begins it, as when both are the same words.
  const last = to === undefined ? undefined : onlyPlace(text, to, { flag: '--to', from: start });
  return { start, end: last?.end ?? text.length };
}

interface Search {
  readonly flag: string;
  readonly from: number;
}

/** Word for word, else whatever the white space between the words. */
function onlyPlace(text: string, words: string, { flag, from }: Search): TextRange {
  if (words.trim() === '') throw refused(flag, 'must quote words of the chapter');
  const exact = placesOf(text, escaped(words), from);
  const parts = words.trim().split(/\s+/u).map(escaped);
  const places = exact.length > 0 ? exact : placesOf(text, parts.join('\\s+'), from);
  const [only, ...others] = places;
  if (only !== undefined && others.length === 0) return only;
  if (only === undefined)
    throw refused(
      flag,
      from === 0 ? 'these words are not in the chapter' : 'these words do not follow --from',
    );
  const ends = paragraphEnds(text, frontLength(text), text.length);
  const where = places.slice(0, 8).map(({ start }) => ends.findIndex((end) => start < end) + 1);
  throw refused(
    flag,
    `these words stand there ${places.length} times (paragraph ${[...new Set(where)].join(', ')}${places.length > 8 ? ', …' : ''}); quote more of them`,
  );
}

function placesOf(text: string, pattern: string, from: number): TextRange[] {
  const found = text.slice(from).matchAll(new RegExp(pattern, 'gu'));
  return [...found].map(({ 0: match, index }) => ({
    start: from + index,
    end: from + index + match.length,
  }));
}

function escaped(words: string): string {
  return words.replace(/[\\^$.*+?()[\]{}|/-]/gu, '\\$&');
}

function numbersOf(words: string, flag: string): readonly [number, number] {
  const [, first, last = first] = /^\s*(\d{1,7})\s*(?:[-–:]\s*(\d{1,7}))?\s*$/u.exec(words) ?? [];
  const [from, to] = [Number(first), Number(last)];
  if (first !== undefined && from >= 1 && to >= from) return [from, to];
  throw refused(flag, 'must be a number from 1 on, or two such as 3-5');
}

function betweenEnds(
  ends: readonly number[],
  [first, last]: readonly [number, number],
  flag: string,
): TextRange {
  const end = ends[last - 1];
  if (end === undefined) throw refused(flag, `the chapter has ${ends.length}`);
  return { start: ends[first - 2] ?? 0, end };
}

function lineEnds(text: string): number[] {
  const ends = [...text.matchAll(/\n/gu)].map(({ index }) => index + 1);
  return ends.at(-1) === text.length ? ends : [...ends, text.length];
}

function refused(flag: string, why: string): GalleyError {
  return new GalleyError('INVALID_ARGUMENT', `${flag}: ${why}.`, { details: { field: flag } });
}
