// The ledger of promises: what the book makes its readers wait for, in a list that people can edit. A promise is open until it is paid.
import { GalleyError } from '../../core/model/error.js';
import type { Store } from '../../store/store.js';
import { notFound } from '../../store/tables/checked.js';
import { chapterNumber } from '../documents/numerals.js';
import { storyPlaces } from '../documents/story-places.js';
import { changeList, type ListPlace } from '../folder/list-home.js';
import { promisesKey } from '../folder/material.js';
import { withChangedItem, withEntry, withoutItems } from '../told/list-file.js';
import { promiseList, readTold, type StoryPromise } from '../told/told-lists.js';

/** Ids name the words alone, so that they are the same in a folder and in a store. */
const place = 'promises';

export function promisesIn(text: string): readonly StoryPromise[] {
  return readTold(promiseList, text, place).map(({ row }) => row);
}

/** As the files say it, where a store stands in for them. */
export async function readPromises(
  store: Pick<Store, 'settings'>,
  project: string,
): Promise<readonly StoryPromise[]> {
  const rows = await store.settings.list(project);
  return promisesIn(rows.find(({ key }) => key === promisesKey)?.text ?? '');
}

export async function addPromise(home: ListPlace, draft: Omit<StoryPromise, 'id'>): Promise<StoryPromise> {
  const entry = promiseList.entry({ ...draft, text: draft.text.trim() });
  const made = promiseList.row(entry, place);
  await changeList(home, promisesKey, (text) => {
    if (promisesIn(text ?? '').some(({ id }) => id === made.id)) throw isThere(made.id);
    return withEntry(text, promiseList.form, entry);
  });
  return made;
}

/** A field that is `undefined` is taken away. */
export async function changePromise(
  home: ListPlace,
  id: string,
  change: (row: StoryPromise) => Omit<StoryPromise, 'id'>,
): Promise<StoryPromise> {
  let changed: StoryPromise | undefined;
  await changeList(home, promisesKey, (text = '') => {
    const rows = readTold(promiseList, text, place);
    const found = rows.find(({ row }) => row.id === id);
    const [item, ...twins] = found?.items ?? [];
    if (found === undefined || item === undefined) throw notFound('promise');
    const entry = promiseList.entry(change(found.row), item.notes.id);
    const made = promiseList.row(entry, place);
    changed = made;
    if (made.id !== id && rows.some(({ row }) => row.id === made.id)) throw isThere(made.id);
    // The same words twice are one promise, and change as one.
    const once = twins.length === 0 ? text : withoutItems(text, promiseList.form, twins);
    const own = readTold(promiseList, once, place).find(({ row }) => row.id === id)?.items[0] ?? item;
    return withChangedItem(once, promiseList.form, own, entry);
  });
  return changed as StoryPromise;
}

export async function removePromise(home: ListPlace, id: string): Promise<void> {
  await changeList(home, promisesKey, (text = '') => {
    const found = readTold(promiseList, text, place).find(({ row }) => row.id === id);
    if (found === undefined) throw notFound('promise');
    return withoutItems(text, promiseList.form, found.items);
  });
}

function isThere(id: string): GalleyError {
  return new GalleyError('ALREADY_EXISTS', 'This promise is in the ledger already; change that one.', {
    details: { kind: 'promise', field: 'text', id },
  });
}

interface NamedChapter {
  readonly id: string;
  readonly title: string;
  readonly order: number;
}

/** The chapter that a person wrote down: its path, its title, or its number. */
export function chapterCalled<Chapter extends NamedChapter>(
  chapters: readonly Chapter[],
  called: string | undefined,
): Chapter | undefined {
  if (called === undefined) return undefined;
  const exact = chapters.find(({ id, title }) => id === called || title === called);
  if (exact !== undefined) return exact;
  const number = chapterNumber(called);
  const places = storyPlaces(chapters);
  return number === undefined ? undefined : chapters.find(({ id }) => places.get(id) === number);
}
