// Where in the book does it say that? Every occurrence in reading order. Who asks for a name gets the other names of the same person
// too; several words that nowhere stand as they were asked for are looked for near each other.
import { LRUCache } from 'lru-cache';
import type { Store } from '../../store/store.js';
import type { DocumentEntry } from '../../store/tables/documents.js';
import { paragraphEnds } from '../documents/borders.js';
import { findMatches, findNear, type Match } from './find-matches.js';
import { foldText } from './fold-text.js';
import { type Place, placesOf } from './place-of.js';

export interface SearchRequest {
  readonly query: string;
  readonly documentId?: string | undefined;
  /** As it is written, capitals and widths included. */
  readonly exact?: boolean | undefined;
  readonly wholeWord?: boolean | undefined;
  /** Look for all words of the query within so many characters of each other. */
  readonly near?: number | undefined;
  readonly limit?: number | undefined;
}

export interface SearchHit extends Place {
  readonly documentId: string;
  readonly title: string;
  readonly order: number;
  /** 1 where the words stand as they were asked for; the further apart, the less. */
  readonly score: number;
}

export interface BookSearch {
  readonly kind: 'words' | 'name' | 'near';
  /** What was looked for: the query, every name of a person, or the words that should be near. */
  readonly words: readonly string[];
  readonly total: number;
  readonly hits: readonly SearchHit[];
  /** Found beside the hits above, by chapter. */
  readonly rest: readonly { readonly documentId: string; readonly title: string; readonly count: number }[];
  readonly searched: { readonly chapters: number; readonly characters: number };
}

const usualReach = 60;
const usualLimit = 50;

interface ChapterText {
  readonly text: string;
  readonly folded: string;
  /** Where paragraphs end; worked out for the first hit. */
  paragraphs?: readonly number[];
}

/** By the hash of the text: a chapter that did not change is neither read nor folded again. */
const texts = new LRUCache<string, ChapterText>({
  maxSize: 48 * 1024 * 1024,
  sizeCalculation: ({ text }) => text.length * 2 + 1,
});

interface Search {
  readonly kind: BookSearch['kind'];
  readonly words: readonly string[];
  find(chapter: ChapterText): Match[];
}

export async function searchBook(store: Store, project: string, request: SearchRequest): Promise<BookSearch> {
  const { documentId, limit = usualLimit } = request;
  const all = await store.documents.list(project);
  const entries = documentId === undefined ? all : all.filter(({ id }) => id === documentId);
  // A chapter that is not there is refused in the words of the store.
  if (documentId !== undefined && entries.length === 0) await store.documents.get(project, documentId);
  const chapters: { readonly entry: DocumentEntry; readonly chapter: ChapterText }[] = [];
  for (const entry of entries) chapters.push({ entry, chapter: await chapterText(store, project, entry) });
  const [first, second] = await searchesFor(store, project, request);
  let search = first;
  let found = chapters.map(({ chapter }) => search.find(chapter));
  if (second !== undefined && found.every((matches) => matches.length === 0)) {
    search = second;
    found = chapters.map(({ chapter }) => search.find(chapter));
  }
  const hits: SearchHit[] = [];
  const rest: { documentId: string; title: string; count: number }[] = [];
  chapters.forEach(({ entry: { id, title, order }, chapter }, index) => {
    const matches = found[index] ?? [];
    const shown = matches.slice(0, Math.max(0, limit - hits.length));
    if (shown.length > 0) chapter.paragraphs ??= paragraphEnds(chapter.text, 0, chapter.text.length);
    for (const place of placesOf(chapter.text, shown, chapter.paragraphs ?? []))
      hits.push({ documentId: id, title, order, ...place, score: scoreOf(place, search) });
    if (matches.length > shown.length)
      rest.push({ documentId: id, title, count: matches.length - shown.length });
  });
  return {
    kind: search.kind,
    words: search.words,
    total: found.reduce((sum, matches) => sum + matches.length, 0),
    hits,
    rest,
    searched: {
      chapters: chapters.length,
      characters: chapters.reduce((sum, { chapter }) => sum + chapter.text.length, 0),
    },
  };
}

function scoreOf({ text }: Place, { kind, words }: Search): number {
  if (kind !== 'near') return 1;
  const asked = words.reduce((sum, word) => sum + word.length, words.length - 1);
  return Number(Math.min(1, asked / text.length).toFixed(4));
}

async function chapterText(store: Store, project: string, entry: DocumentEntry): Promise<ChapterText> {
  const known = texts.get(entry.contentHash);
  if (known !== undefined) return known;
  const { text, contentHash } = await store.documents.get(project, entry.id);
  const chapter = { text, folded: foldText(text) };
  texts.set(contentHash, chapter);
  return chapter;
}

/** What is looked for first, and what if that is nowhere. */
async function searchesFor(
  store: Store,
  project: string,
  { query, exact = false, wholeWord: isWholeWord = false, near }: SearchRequest,
): Promise<readonly [Search, Search?]> {
  const asked = query.trim();
  const fold = exact ? (text: string) => text : foldText;
  const textOf = ({ text, folded }: ChapterText) => (exact ? text : folded);
  const words = asked.split(/[\s\u3000]+/u);
  const nearby = (reach: number): Search => ({
    kind: 'near',
    words,
    find: (chapter) => findNear(textOf(chapter), words.map(fold), { reach, isWholeWord }),
  });
  if (near !== undefined) return [nearby(near)];
  const names = exact ? [] : await namesOf(store, project, fold(asked));
  if (names.length > 1)
    return [
      {
        kind: 'name',
        words: names,
        find: (chapter) => findMatches(textOf(chapter), names.map(fold), { isWholeWord: true }),
      },
    ];
  const plain: Search = {
    kind: 'words',
    words: [asked],
    find: (chapter) => findMatches(textOf(chapter), [fold(asked)], { isWholeWord }),
  };
  return words.length > 1 ? [plain, nearby(usualReach)] : [plain];
}

/** Every name of whoever is called so. */
async function namesOf(store: Store, project: string, folded: string): Promise<string[]> {
  const people = await store.entities.list(project);
  const meant = people.filter(({ name, aliases }) =>
    [name, ...aliases].some((each) => foldText(each) === folded),
  );
  return [...new Set(meant.flatMap(({ name, aliases }) => [name, ...aliases]))].filter(
    (name) => name.trim() !== '',
  );
}
