// Where in its chapter does a match stand: paragraph, line, and the sentence around it.
import { codePointBorder } from '../../core/model/code-points.js';
import { sentenceEnds, withoutBlanks } from '../documents/borders.js';
import type { Match } from './find-matches.js';

export interface Place {
  /** From 1. */
  readonly paragraph: number;
  /** From 1. */
  readonly line: number;
  /** Code points of the chapter, half-open. */
  readonly start: number;
  readonly end: number;
  /** What stands there. */
  readonly text: string;
  readonly sentence: string;
  /** Where in the sentence the words stand, in code points, half-open. */
  readonly from: number;
  readonly to: number;
  /** The sentence goes on before or behind what is shown. */
  readonly isCut: boolean;
}

/** Code units on either side in which the ends of a sentence are looked for. */
const reach = 2_000;
const longestSentence = 240;

/** Places of matches that come in order; each part of the text is looked at once. `paragraphs` are where they end. */
export function placesOf(text: string, matches: readonly Match[], paragraphs: readonly number[]): Place[] {
  let [unit, point, line, paragraph] = [0, 0, 1, 0];
  return matches.map(({ start, end }) => {
    for (; unit < start; unit += 1) {
      const code = text.charCodeAt(unit);
      if (code < 0xdc00 || code >= 0xe000) point += 1;
      if (code === 10) line += 1;
    }
    while ((paragraphs[paragraph] ?? text.length) <= start && paragraph < paragraphs.length - 1)
      paragraph += 1;
    const found = text.slice(start, end);
    const around = sentenceAround(
      text,
      { start, end },
      {
        from: paragraphs[paragraph - 1] ?? 0,
        to: paragraphs[paragraph] ?? text.length,
      },
    );
    return {
      paragraph: paragraph + 1,
      line,
      start: point,
      end: point + countPoints(found),
      text: found,
      ...around,
    };
  });
}

function sentenceAround(
  text: string,
  { start, end }: Match,
  paragraph: { from: number; to: number },
): Pick<Place, 'sentence' | 'from' | 'to' | 'isCut'> {
  const floor = codePointBorder(text, Math.max(paragraph.from, start - reach));
  const ceiling = codePointBorder(text, Math.min(Math.max(paragraph.to, end), end + reach));
  const ends = sentenceEnds(text, floor, ceiling);
  const left = ends.findLast((border) => border <= start) ?? floor;
  const right = ends.find((border) => border >= end) ?? ceiling;
  // As much of a very long sentence as can be read at a glance, the words in the middle.
  const spare = Math.max(0, Math.floor((longestSentence - (end - start)) / 2));
  const from = right - left <= longestSentence ? left : codePointBorder(text, Math.max(left, start - spare));
  const to = right - left <= longestSentence ? right : codePointBorder(text, Math.min(right, end + spare));
  const shown = withoutBlanks(text, Math.min(from, start), Math.max(to, end));
  const sentence = text.slice(shown.start, shown.end);
  const first = Math.max(shown.start, start);
  return {
    sentence,
    from: countPoints(text.slice(shown.start, first)),
    to: countPoints(text.slice(shown.start, Math.max(first, Math.min(end, shown.end)))),
    isCut: from > left || to < right,
  };
}

function countPoints(text: string): number {
  let count = 0;
  for (const _ of text) count += 1;
  return count;
}
