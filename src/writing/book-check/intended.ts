// "This is intended": what a writer means as it stands, in a list that people can edit. An item holds as long as its words stand in
// its chapter; one without a chapter holds in all of them, one without a rule against every rule.
import { GalleyError } from '../../core/model/error.js';
import { hashText } from '../../meters/content-hash.js';
import type { Store } from '../../store/store.js';
import { notFound } from '../../store/tables/checked.js';
import { indexText } from '../documents/indexed-text.js';
import { changeList, type ListPlace } from '../folder/list-home.js';
import { intendedKey } from '../folder/material.js';
import {
  type ListForm,
  type ListItem,
  listWords,
  readList,
  withEntry,
  withoutItems,
} from '../told/list-file.js';
import type { BookFinding, CheckedChapter } from './book-finding.js';

export interface Intended {
  readonly id: string;
  readonly words: string;
  /** Its path or title. */
  readonly chapter?: string;
  /** In its own words. */
  readonly rule?: string;
  readonly why?: string;
}

export type IntendedDraft = Omit<Intended, 'id'>;

const form: ListForm = {
  kinds: [],
  usual: '',
  mark: /(?!)/u,
  marks: ['', ''],
  notes: ['chapter', 'rule', 'why'],
  title: '有意为之 · Intended',
};

function intendedOf({ words, notes: { chapter, rule, why } }: Pick<ListItem, 'words' | 'notes'>): Intended {
  return {
    id: hashText(JSON.stringify([chapter ?? '', rule ?? '', words])).slice(0, 12),
    words,
    ...(chapter === undefined ? {} : { chapter }),
    ...(rule === undefined ? {} : { rule }),
    ...(why === undefined ? {} : { why }),
  };
}

export async function readIntended(store: Store, project: string): Promise<readonly Intended[]> {
  const text = await store.settings.get(project, intendedKey);
  const items = readList(text ?? '', form).map(intendedOf);
  return [...new Map(items.map((item) => [item.id, item])).values()];
}

export async function addIntended(place: ListPlace, draft: IntendedDraft): Promise<Intended> {
  const { words, ...notes } = draft;
  const entry = { kind: '', words: listWords(words), marked: false, notes: notes as Record<string, string> };
  const made = intendedOf(entry);
  await changeList(place, intendedKey, (text) => {
    const isThere = readList(text ?? '', form).some((item) => intendedOf(item).id === made.id);
    if (isThere)
      throw new GalleyError('ALREADY_EXISTS', 'These words are in the list already.', {
        details: { kind: 'intended', field: 'words', id: made.id },
      });
    return withEntry(text, form, entry);
  });
  return made;
}

export async function removeIntended(place: ListPlace, id: string): Promise<void> {
  await changeList(place, intendedKey, (text = '') => {
    const gone = readList(text, form).filter((item) => intendedOf(item).id === id);
    if (gone.length === 0) throw notFound('intended');
    return withoutItems(text, form, gone);
  });
}

/** Whether the words stand in a chapter that is meant. */
export function holdsIn({ words, chapter }: Intended, { id, title, text }: CheckedChapter): boolean {
  return (chapter === undefined || chapter === id || chapter === title) && text.includes(words);
}

/** Marks the findings whose words, or the words around them, are meant as they stand. */
export function withIntended(
  findings: readonly BookFinding[],
  list: readonly Intended[],
  chapter: CheckedChapter,
): BookFinding[] {
  const holding = list.filter((item) => holdsIn(item, chapter));
  if (holding.length === 0) return [...findings];
  const indexed = indexText(chapter.text);
  return findings.map((finding) => {
    const [start, end] = [indexed.unitAt(finding.start), indexed.unitAt(finding.end)];
    const intended = holding.some(
      ({ words, rule }) =>
        (rule === undefined || rule === finding.rule) &&
        placesOf(words, chapter.text).some(
          (at) => (at <= start && end <= at + words.length) || (start <= at && at + words.length <= end),
        ),
    );
    return { ...finding, intended };
  });
}

function placesOf(words: string, text: string): number[] {
  const places: number[] = [];
  for (let at = text.indexOf(words); at >= 0; at = text.indexOf(words, at + 1)) places.push(at);
  return places;
}
