// One long text as chapters. Every chapter is a stretch of the text as it stands, so that all of them, one behind the other, are
// the text again; lines of a table of contents are text, not headings.

import { readHeadingLine } from '../../documents/heading-line.js';
import { chapterNumber, ordinalNumber } from '../../documents/numerals.js';

export interface ChapterPart {
  /** Undefined for what stands before the first heading, or before the first chapter of a volume. */
  readonly title: string | undefined;
  readonly volume?: string;
  readonly text: string;
}

export interface Heading {
  readonly at: number;
  readonly end: number;
  readonly title: string;
  readonly rank: 'volume' | 'chapter';
  readonly key: string;
}

export function splitChapters(text: string, format: 'md' | 'txt' = 'md'): ChapterPart[] {
  const headings = withoutRepeats(text, withoutContents(text, findHeadings(text, format)));
  if (headings.length === 0) return [{ title: undefined, text }];
  const parts: ChapterPart[] = [];
  const before = text.slice(0, headings[0]?.at);
  if (before.trim() !== '') parts.push({ title: undefined, text: before });
  const isVolumed =
    headings.some(({ rank }) => rank === 'volume') && headings.some(({ rank }) => rank === 'chapter');
  let volume: string | undefined;
  headings.forEach(({ at, title, rank }, index) => {
    // Blank space before the first heading stays with it.
    const from = parts.length === 0 && index === 0 ? 0 : at;
    const own = text.slice(from, headings[index + 1]?.at ?? text.length);
    if (isVolumed && rank === 'volume') volume = title;
    const place = volume === undefined ? {} : { volume };
    parts.push({ title: isVolumed && rank === 'volume' ? undefined : title, text: own, ...place });
  });
  return parts;
}

function findHeadings(text: string, format: 'md' | 'txt'): Heading[] {
  const marked: (Heading & { readonly level: number })[] = [];
  const plain: Heading[] = [];
  const numbered: Heading[] = [];
  let isFenced = false;
  for (const { at, end } of linesOf(text)) {
    // Nothing that long names a chapter.
    if (end - at > 400) continue;
    const line = text.slice(at, end).trim();
    if (/^(?:```|~~~)/.test(line)) isFenced = !isFenced;
    if (line === '' || isFenced) continue;
    const [, marks, name] = /^(#{1,6})\s+(.+?)\s*#*$/u.exec(line) ?? [];
    if (marks !== undefined && name !== undefined) {
      const { rank = 'chapter', key = name } = readHeadingLine(name) ?? {};
      marked.push({ at, end, title: name, rank, key, level: marks.length });
      continue;
    }
    const heading = readHeadingLine(line);
    if (heading !== undefined) plain.push({ at, end, title: line, ...heading });
    else if (/^(?:[ivxlc]{1,8}|\d{1,4})[.、．]?$/iu.test(line))
      numbered.push({ at, end, title: line, rank: 'chapter', key: line });
  }
  // A text may hold a line that begins like a mark, and Markdown chapters that nobody marked: whichever names more.
  const [marks, words] = [marked.length, plain.length];
  if (marks > words || (marks > 0 && marks === words && format === 'md')) return byLevel(marked);
  const counted = inSequence(numbered);
  // "Part One" above chapters that are only counted.
  if (!plain.some(({ rank }) => rank === 'chapter'))
    return [...plain, ...counted].sort((left, right) => left.at - right.at);
  return plain;
}

/** The level whose headings are numbered like chapters, else the highest that has several; what is above are volumes. */
function byLevel(headings: readonly (Heading & { readonly level: number })[]): Heading[] {
  const levels = [...new Set(headings.map(({ level }) => level))].sort((left, right) => left - right);
  const at = (level: number) => headings.filter((heading) => heading.level === level);
  const named = levels.find(
    (level) =>
      at(level).filter(({ title }) => readHeadingLine(title)?.rank === 'chapter').length * 2 >
      at(level).length,
  );
  const several = levels.find((level) => at(level).length > 1);
  const chapters = named ?? several ?? levels[0] ?? 1;
  // The first heading, if it is the only one of its level, is the name of the book and no volume of it.
  const [first] = headings;
  const isBookTitle = first !== undefined && first.level < chapters && at(first.level).length === 1;
  return headings
    .filter((heading) => heading.level <= chapters && !(isBookTitle && heading === first))
    .map((heading) => ({ ...heading, rank: heading.level < chapters ? 'volume' : 'chapter' }));
}

/** Lines that are a bare number name chapters only if they count up from one. */
function inSequence(headings: readonly Heading[]): Heading[] {
  const found: Heading[] = [];
  for (const heading of headings) {
    const number = ordinalNumber(heading.title.replace(/[.、．]$/u, ''));
    const isRoman = /^[ivxlc]/iu.test(heading.title);
    const isSameKind = found[0] === undefined || /^[ivxlc]/iu.test(found[0].title) === isRoman;
    const isFirst = number === 1 && found.length > 0;
    if (isSameKind && (number === found.length + 1 || isFirst)) found.push(heading);
  }
  return found.length >= 2 ? found : [];
}

const leastContents = 3;

/** Headings with nothing between them that all come again later are a table of contents. */
function withoutContents(text: string, headings: readonly Heading[]): Heading[] {
  const last = new Map(headings.map(({ key }, index) => [key, index]));
  const kept: Heading[] = [];
  for (let from = 0; from < headings.length; ) {
    let to = from + 1;
    while (to < headings.length && text.slice(headings[to - 1]?.end, headings[to]?.at).trim() === '') to += 1;
    // The first chapter may follow its own line in the table at once.
    let listed = 0;
    while (from + listed < to && (last.get(headings[from + listed]?.key ?? '') ?? 0) > from + listed)
      listed += 1;
    const isContents = listed >= leastContents;
    kept.push(...headings.slice(isContents ? from + listed : from, to));
    from = to;
  }
  return kept;
}

/** Some books say the name of a chapter twice, the second time a few lines below. */
const mostBetween = 200;

function withoutRepeats(text: string, headings: readonly Heading[]): Heading[] {
  return headings.filter(({ at, title, rank }, index) => {
    const before = headings[index - 1];
    if (before === undefined || before.rank !== rank) return true;
    if (at - before.end > mostBetween * 4 || text.slice(before.end, at).trim().length > mostBetween)
      return true;
    const number = chapterNumber(title);
    return number === undefined || number !== chapterNumber(before.title);
  });
}

function* linesOf(text: string): Generator<{ at: number; end: number }> {
  for (let at = 0; at < text.length; ) {
    const found = text.indexOf('\n', at);
    const end = found < 0 ? text.length : found;
    yield { at, end };
    at = end + 1;
  }
}
