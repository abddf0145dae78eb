// What has happened by now? Reading order decides, not the clock: chapters behind the one being written have not happened yet,
// and neither has what stands behind the cursor.
import type { DocumentEntry } from '../../store/tables/documents.js';
import { chapterNumber } from '../documents/chapter-number.js';
import { chapterTitle } from '../documents/chapters.js';

/** `none` leaves out what comes later in the story; `marked` shows it and says so. */
export type LaterText = 'none' | 'marked';

export interface StoryPlace {
  readonly documentId: string;
  /** All documents of the project; undefined when they could not be listed. */
  readonly entries: readonly DocumentEntry[] | undefined;
  /** The beginning of the text at hand, which may say which chapter it is. */
  readonly opening: string;
}

/** Nothing is later than a text that has no place in the story. */
export function laterChapters(place: StoryPlace): (entry: DocumentEntry | undefined) => boolean {
  const own = place.entries?.find(({ id }) => id === place.documentId);
  if (own !== undefined) return (entry) => entry !== undefined && entry.order > own.order;
  const title = chapterTitle(place.opening, place.documentId);
  const number = chapterNumber(title);
  if (number === undefined) return () => false;
  return (entry) =>
    entry !== undefined &&
    countedIn(entry.title) === countedIn(title) &&
    (chapterNumber(entry.title) ?? number) > number;
}

/** Volumes, parts and chapters are counted on their own. */
function countedIn(title: string): string | undefined {
  return /第[^\s回章节卷部幕集话篇折出]{1,9}([回章节卷部幕集话篇折出])|\b(chapter|part|book|volume|act|scene|episode)\b/i
    .exec(title)
    ?.slice(1)
    .join('')
    .toLowerCase();
}

export interface Episode {
  readonly documentId?: string;
  readonly createdAt: number;
}

/** Of accepted texts the last ones of the story up to this chapter, in its order; those without a place count as its beginning. */
export function episodesUpTo<Item extends Episode>(
  newestFirst: readonly Item[],
  place: StoryPlace,
  most: number,
): Item[] {
  const isLater = laterChapters(place);
  const byId = new Map((place.entries ?? []).map((entry, index) => [entry.id, { entry, index }]));
  const at = ({ documentId = '' }: Item) =>
    documentId === place.documentId ? byId.size : (byId.get(documentId)?.index ?? -1);
  const told = newestFirst.filter(({ documentId = '' }) => !isLater(byId.get(documentId)?.entry));
  const inOrder = told.map((item, age) => ({ item, at: at(item), age }));
  inOrder.sort((a, b) => a.at - b.at || b.age - a.age);
  return inOrder.slice(Math.max(0, inOrder.length - most)).map(({ item }) => item);
}
