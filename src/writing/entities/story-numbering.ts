// Which chapters does a volume, part, act or scene of this story span? Only the names of its documents tell: 第二卷/12.md, Act II.
import { ordinalNumber } from '../documents/numerals.js';
import { storyPlaces } from '../documents/story-places.js';

export type StoryDivision = 'volume' | 'part' | 'act' | 'scene';

/** Chapters in the order of the story, both ends included. */
export interface ChapterSpan {
  readonly first: number;
  readonly last: number;
}

export type StoryNumbering = (division: StoryDivision, number: number) => ChapterSpan | undefined;

export const noNumbering: StoryNumbering = () => undefined;

/** Undefined for chapters, which count by themselves. */
function divisionOf(unit: string): StoryDivision | undefined {
  if (/^(?:卷|集|book|vol)/iu.test(unit)) return 'volume';
  if (/^(?:部|篇|part)/iu.test(unit)) return 'part';
  if (/^(?:幕|act)/iu.test(unit)) return 'act';
  return /^(?:节|scene)/iu.test(unit) ? 'scene' : undefined;
}

/** Chapters and scenes count in the order of the story; greater divisions need the project's own numbering. */
export function spanOf(unit: string, digits: string, numbering: StoryNumbering): ChapterSpan | undefined {
  const value = ordinalNumber(digits);
  if (value === undefined || value < 1) return undefined;
  const division = divisionOf(unit);
  const known = division === undefined ? undefined : numbering(division, value);
  return (
    known ?? (division === undefined || division === 'scene' ? { first: value, last: value } : undefined)
  );
}

const named =
  /第\s*([0-9]+|[零〇一二两三四五六七八九十百]+)\s*([卷集部篇幕节])|(卷)\s*([0-9]+|[零〇一二两三四五六七八九十百]+)|\b(book|volume|vol\.?|part|act|scene)[\s_-]*([0-9]+|[ivxlc]+\b|[a-z]+)/giu;

interface NamedDocument {
  readonly id: string;
  readonly title: string;
  readonly order: number;
}

const numberings = new WeakMap<readonly NamedDocument[], StoryNumbering>();

/** The same list has the same numbering, which whoever remembers something by it can tell. */
export function numberingOf(documents: readonly NamedDocument[]): StoryNumbering {
  const numbering = numberings.get(documents) ?? divisionsOf(documents);
  numberings.set(documents, numbering);
  return numbering;
}

/** A division lasts until the next of its kind begins. */
function divisionsOf(documents: readonly NamedDocument[]): StoryNumbering {
  let starts: ReadonlyMap<StoryDivision, ReadonlyMap<number, number>> | undefined;
  const end = Math.max(0, ...storyPlaces(documents).values());
  return (division, number) => {
    starts ??= startsOf(documents);
    const known = starts.get(division);
    const first = known?.get(number);
    if (known === undefined || first === undefined) return undefined;
    const next = Math.min(...[...known.values()].filter((start) => start > first), end + 1);
    return { first, last: next - 1 };
  };
}

function startsOf(
  documents: readonly NamedDocument[],
): ReadonlyMap<StoryDivision, ReadonlyMap<number, number>> {
  const starts = new Map<StoryDivision, Map<number, number>>();
  const inOrder = [...documents].sort((left, right) => left.order - right.order);
  const places = storyPlaces(documents);
  for (const { id, title, order } of inOrder) {
    const name = `${id}\n${title}`.normalize('NFKC');
    for (const [, one, chinese, volume, two, english, three] of name.matchAll(named)) {
      const division = divisionOf(chinese ?? volume ?? english ?? '');
      const number = ordinalNumber(one ?? two ?? three ?? '');
      if (division === undefined || number === undefined) continue;
      const known = starts.get(division) ?? new Map<number, number>();
      starts.set(division, known);
      if (!known.has(number)) known.set(number, places.get(id) ?? order);
    }
  }
  return starts;
}
