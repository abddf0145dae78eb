// A finding as people look it up: the chapter, the paragraph and the line, the rule in its own words, and the quoted words in their
// sentence. The quote always stands at its place.
import { byCodePoint } from '../../core/model/code-points.js';
import { paragraphEnds, sentenceEnds, withoutBlanks } from '../documents/borders.js';
import { frontLength } from '../documents/front-matter.js';
import { indexText, type TextRange } from '../documents/indexed-text.js';
import type { CheckKind, JudgeFinding } from '../judge/check.js';
import { lineRangeOf } from '../layers/refs.js';

export interface BookFinding {
  readonly documentId: string;
  readonly title: string;
  /** From 1; headings do not count. */
  readonly paragraph: number;
  /** From 1. */
  readonly line: number;
  /** Code points, half-open. */
  readonly start: number;
  readonly end: number;
  /** The text from `start` on; of a long stretch its beginning. */
  readonly quote: string;
  /** What stands before and behind the quote in its sentence. */
  readonly before: string;
  readonly after: string;
  /** In its own words. */
  readonly rule: string;
  /** Of the constraint, `entity:` and the person, or `story:` and the chapter. */
  readonly ruleId: string;
  readonly check: CheckKind;
  readonly message: string;
  /** The writer means it so. */
  readonly intended: boolean;
}

export interface CheckedChapter {
  readonly id: string;
  readonly title: string;
  readonly text: string;
}

/** A finding with what it is held against. */
export interface JudgedFinding extends Pick<JudgeFinding, 'start' | 'end' | 'check' | 'message'> {
  readonly rule: string;
  readonly ruleId: string;
}

const mostQuoted = 400;
const mostBeside = 200;

/** Where a stretch of a text stands, and what it says. */
export type TextPlace = Pick<
  BookFinding,
  'start' | 'end' | 'paragraph' | 'line' | 'quote' | 'before' | 'after'
>;

export function placesIn(text: string): (range: TextRange) => TextPlace {
  const indexed = indexText(text);
  const front = frontLength(text);
  const ends = paragraphEnds(text, front, text.length);
  const isHeading = ends.map((_, index) => /^\s{0,3}#{1,6}\s/u.test(text.slice(ends[index - 1] ?? front)));
  return ({ start, end }) => {
    const [from, to] = [indexed.unitAt(start), indexed.unitAt(end)];
    const at = ends.findIndex((border) => from < border);
    return {
      ...{ start, end },
      quote: indexed.slice({ start, end: Math.min(end, start + mostQuoted) }),
      paragraph: Math.max(1, isHeading.slice(0, at + 1).filter((heading) => !heading).length),
      line: lineRangeOf(text, from, to).start,
      ...besides(text, { from, to }, { start: ends[at - 1] ?? front, end: ends[at] ?? text.length }),
    };
  };
}

/** In the order of their places. */
export function placedFindings(
  { id, title, text }: CheckedChapter,
  findings: readonly JudgedFinding[],
): BookFinding[] {
  const placeOf = placesIn(text);
  return findings
    .map(({ start, end, ...rest }) => ({
      ...{ documentId: id, title, intended: false, ...rest },
      ...placeOf({ start, end }),
    }))
    .sort(
      (left, right) => left.start - right.start || left.end - right.end || byCodePoint(left.rule, right.rule),
    );
}

function besides(
  text: string,
  { from, to }: { readonly from: number; readonly to: number },
  paragraph: { readonly start: number; readonly end: number },
): Pick<BookFinding, 'before' | 'after'> {
  const ends = sentenceEnds(text, paragraph.start, paragraph.end);
  const first = ends.findLast((end) => end <= from) ?? paragraph.start;
  const last = ends.find((end) => end >= to) ?? paragraph.end;
  const { start, end } = withoutBlanks(text, first, last);
  const before = text.slice(Math.min(start, from), from);
  const after = to >= end ? '' : text.slice(to, end);
  return { before: [...before].slice(-mostBeside).join(''), after: [...after].slice(0, mostBeside).join('') };
}

/** The words by which a finding is known again: its sentence, or the beginning of a longer stretch. */
export function wordsOf({ before, quote, after }: Pick<BookFinding, 'before' | 'quote' | 'after'>): string {
  return `${before}${quote}${[...quote].length >= mostQuoted ? '' : after}`.trim();
}
