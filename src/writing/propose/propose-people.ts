// Names that stand in many chapters and have no card, with how often, where, and two places to read: found without a model, and
// rather one too few than a word that is no name.

import { byCodePoint } from '../../core/model/code-points.js';
import { placesIn } from '../book-check/book-finding.js';
import type { TextRange } from '../documents/indexed-text.js';
import { textLanguage } from '../documents/text-language.js';
import { createEntityMatcher } from '../entities/entity-matcher.js';
import { chineseNames, type FoundName } from './chinese-names.js';
import { englishNames } from './english-names.js';

export interface ProposedChapter {
  readonly id: string;
  readonly title: string;
  readonly text: string;
}

export interface NameQuote {
  readonly documentId: string;
  readonly title: string;
  readonly line: number;
  /** The sentence it stands in. */
  readonly text: string;
}

export interface ProposedPerson {
  readonly name: string;
  readonly aliases: readonly string[];
  readonly count: number;
  /** Ids, in reading order. */
  readonly chapters: readonly string[];
  readonly quotes: readonly NameQuote[];
}

export interface ProposeOptions {
  /** Names and aliases that have a card. */
  readonly known: ReadonlySet<string>;
  readonly minChapters: number;
  readonly minCount: number;
  readonly limit: number;
  /** So many of each name. */
  readonly quotes: number;
}

/** Most frequent first. */
export function proposePeople(
  chapters: readonly ProposedChapter[],
  { known, minChapters, minCount, limit, quotes }: ProposeOptions,
): ProposedPerson[] {
  const found = namesIn(chapters).filter(({ name, aliases }) =>
    [name, ...aliases].every((each) => !known.has(each)),
  );
  const matcher = createEntityMatcher(
    found.map(({ name, aliases }, index) => ({ id: String(index), name, aliases })),
  );
  const tallies = found.map(() => ({
    count: 0,
    chapters: new Map<string, TextRange[]>(),
  }));
  for (const { id, text } of chapters)
    for (const { entityId, start, end } of matcher.find(text)) {
      const tally = tallies[Number(entityId)];
      if (tally === undefined) continue;
      tally.count += 1;
      tally.chapters.set(id, [...(tally.chapters.get(id) ?? []), { start, end }].slice(0, 3));
    }
  return found
    .map((name, index) => ({ name, tally: tallies[index] ?? { count: 0, chapters: new Map() } }))
    .filter(({ tally }) => tally.chapters.size >= minChapters && tally.count >= minCount)
    .sort(
      (left, right) => right.tally.count - left.tally.count || byCodePoint(left.name.name, right.name.name),
    )
    .slice(0, limit)
    .map(({ name: { name, aliases }, tally }) => ({
      ...{ name, aliases, count: tally.count },
      chapters: [...tally.chapters.keys()],
      quotes: quotesOf(chapters, tally.chapters, quotes),
    }));
}

function namesIn(chapters: readonly ProposedChapter[]): FoundName[] {
  const texts = chapters.map(({ text }) => text);
  return textLanguage(texts) === 'en' ? englishNames(texts) : chineseNames(texts);
}

/** From chapters spread over the book, the first one among them. */
function quotesOf(
  chapters: readonly ProposedChapter[],
  places: ReadonlyMap<string, readonly TextRange[]>,
  most: number,
): NameQuote[] {
  const ids = [...places.keys()];
  const step = Math.max(1, Math.floor(ids.length / most));
  const chosen = ids.filter((_, index) => index % step === 0).slice(0, most);
  return chosen.flatMap((id) => {
    const chapter = chapters.find((each) => each.id === id);
    const place = places.get(id)?.at(-1);
    if (chapter === undefined || place === undefined) return [];
    const { before, quote, after, line } = placesIn(chapter.text)(place);
    const text = `${before}${quote}${after}`.replace(/\s+/gu, ' ').trim();
    return [{ documentId: chapter.id, title: chapter.title, line, text }];
  });
}
