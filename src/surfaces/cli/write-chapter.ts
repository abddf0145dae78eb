// Which chapter is meant: its path, its number, or words of its title that fit only one.
import { GalleyError } from '../../core/model/error.js';
import { chapterNumber } from '../../writing/documents/chapter-number.js';
import type { WriteDesk } from './write-desk.js';

interface Entry {
  readonly documentId: string;
  readonly title: string;
  readonly order: number;
}

export async function findChapter(desk: WriteDesk, words: string): Promise<Entry> {
  const { documents } = await desk.call<{ documents: readonly Entry[] }>('documents:list');
  const path = words.replaceAll('\\', '/').replace(/^\.\//, '');
  const exact = documents.find(({ documentId }) => documentId === path);
  if (exact !== undefined) return exact;
  const wanted = /^\d+$/.test(words) ? Number(words) : undefined;
  const numbered =
    wanted === undefined
      ? []
      : documents.filter(({ title, order }) => (chapterNumber(title) ?? order) === wanted);
  const named = documents.filter(
    ({ documentId, title }) => documentId.includes(path) || title.includes(words),
  );
  const found = numbered.length > 0 ? numbered : named;
  if (found.length === 1 && found[0] !== undefined) return found[0];
  const names = (found.length > 1 ? found : documents).slice(0, 8).map(({ documentId }) => documentId);
  throw new GalleyError(
    'NOT_FOUND',
    found.length > 1
      ? `Several chapters fit; name one of ${names.join(', ')}.`
      : `No chapter fits; ${names.length === 0 ? 'there are no Markdown or text files here' : `there are ${names.join(', ')}`}.`,
  );
}

/** Code points; the end of the chapter unless told. */
export function cursorOf(text: string | undefined): number {
  if (text === undefined || text === 'end') return Number.MAX_SAFE_INTEGER;
  const value = Number(text);
  if (/^\d+$/.test(text) && Number.isSafeInteger(value)) return value;
  throw new GalleyError(
    'INVALID_ARGUMENT',
    '--cursor must be "end" or a number of characters from the start.',
  );
}
