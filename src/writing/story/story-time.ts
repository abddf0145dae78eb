// What has happened by now? Reading order decides, not the clock: chapters behind the one being written have not happened yet,
// and neither has what stands behind the cursor.

import type { LedgerLine, Rejection } from '../../core/model/receipt.js';
import type { DocumentEntry } from '../../store/tables/documents.js';
import { chapterTitle } from '../documents/chapters.js';
import { chapterNumber } from '../documents/numerals.js';

/** `none` leaves out what comes later in the story; `marked` shows it and says so. */
export type LaterText = 'none' | 'marked';

interface StoryPlace {
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
  const counted = countedIn(title);
  return (entry) => {
    if (entry === undefined) return false;
    const name = chapterName(entry);
    return name.counted === counted && (name.number ?? number) > number;
  };
}

interface ChapterName {
  readonly number: number | undefined;
  /** What is counted: chapters, volumes, parts. */
  readonly counted: string | undefined;
}

const chapterNames = new WeakMap<DocumentEntry, ChapterName>();

/** A list of chapters stays the same for many requests, and its titles are read once. */
export function chapterName(entry: DocumentEntry): ChapterName {
  const known = chapterNames.get(entry);
  if (known !== undefined) return known;
  const name = { number: chapterNumber(entry.title), counted: countedIn(entry.title) };
  chapterNames.set(entry, name);
  return name;
}

/** Volumes, parts and chapters are counted on their own. */
function countedIn(title: string): string | undefined {
  return /第[^\s回章节卷部幕集话篇折出]{1,9}([回章节卷部幕集话篇折出])|\b(chapter|part|book|volume|act|scene|episode)\b/i
    .exec(title)
    ?.slice(1)
    .join('')
    .toLowerCase();
}

interface Episode {
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

// What was found and must not be told yet: the receipt has a line for each, with the reason.
const leftOutReasons = {
  later: 'it comes later in the story',
  secret: 'it tells what is still a secret here',
} as const;

const reasons: ReadonlySet<string> = new Set(Object.values(leftOutReasons));

/** Turned away because of the story, not because of the budget. */
export function isUntold({ reason }: Pick<LedgerLine, 'reason'>): boolean {
  return reasons.has(reason);
}

export function untold(
  {
    id,
    source,
    layer = 'retrieved',
  }: { readonly id: string; readonly source: string; readonly layer?: string },
  why: keyof typeof leftOutReasons,
): Rejection {
  return { id, source, layer, verdict: 'over-limit', reason: leftOutReasons[why] };
}
