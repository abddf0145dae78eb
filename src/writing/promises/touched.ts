// When was a promise last touched? By the last chapter that speaks of it: one in which enough of its telling words stand. Telling are
// the people and words of the promise that the chapter which set it up uses, and that not every second chapter uses. No model is asked.
import { createEntityMatcher } from '../entities/entity-matcher.js';
import { queryTermsOf, termsOf } from '../retrieval/terms.js';
import type { StoryPromise } from '../told/told-lists.js';
import { chapterCalled } from './ledger.js';

export interface TouchableChapter {
  readonly id: string;
  readonly title: string;
  readonly order: number;
  readonly text: string;
}

interface Named {
  readonly name: string;
  readonly aliases: readonly string[];
}

export interface Touched {
  /** The last chapter that speaks of it; absent where none does. */
  readonly lastTouched?: string;
  /** Chapters since. */
  readonly untouched: number;
  readonly forgotten: boolean;
}

/** Part of its telling words that a chapter must hold. */
const enough = 1 / 3;
/** A word that stands in more of the chapters than this tells nothing. */
const common = 1 / 2;
/** In a book of so few chapters every word may be telling. */
const fewChapters = 4;

/** In the order of the promises; `chapters` in reading order. */
export function touchedBy(
  promises: readonly StoryPromise[],
  chapters: readonly TouchableChapter[],
  { people, forgottenAfter }: { readonly people: readonly Named[]; readonly forgottenAfter: number },
): Touched[] {
  const written = chapters.filter(({ text }) => text.trim() !== '');
  if (promises.length === 0) return [];
  const keysIn = keysOf(people);
  const held = written.map(({ text }) => new Set(keysIn(text, termsOf)));
  const count = (key: string) => held.filter((keys) => keys.has(key)).length;
  return promises.map((promise): Touched => {
    const setUp = chapterCalled(written, promise.chapter);
    const from = setUp === undefined ? -1 : written.indexOf(setUp);
    const known = [...new Set(keysIn(promise.text, queryTermsOf))].filter((key) => count(key) > 0);
    const own = known.filter((key) => held[from]?.has(key));
    const said = own.length === 0 ? known : own;
    const rare = said.filter((key) => written.length < fewChapters || count(key) <= written.length * common);
    const telling = rare.length === 0 ? said : rare;
    const needed = rare.length === 0 ? said.length : Math.ceil(telling.length * enough);
    const speaks = (keys: ReadonlySet<string>) =>
      telling.length > 0 && telling.filter((key) => keys.has(key)).length >= needed;
    const last = Math.max(from, held.findLastIndex(speaks));
    const chapter = written[last];
    const untouched = promise.state === 'paid' ? 0 : written.length - 1 - last;
    return {
      ...(chapter === undefined ? {} : { lastTouched: chapter.id }),
      untouched,
      forgotten: promise.state === 'open' && untouched >= forgottenAfter,
    };
  });
}

/** People by whatever they are called, and the words that are no name. */
function keysOf(people: readonly Named[]): (text: string, words: (text: string) => string[]) => string[] {
  const matcher = createEntityMatcher(
    people.map(({ name, aliases }, index) => ({ id: String(index), name, aliases })),
  );
  return (text, words) => {
    const found = matcher.find(text);
    const points = [...text];
    const rest: string[] = [];
    let at = 0;
    for (const { start, end } of found) {
      rest.push(points.slice(at, Math.max(at, start)).join(''));
      at = Math.max(at, end);
    }
    rest.push(points.slice(at).join(''));
    return [...found.map(({ entityId }) => `@${entityId}`), ...words(rest.join(' '))];
  };
}
