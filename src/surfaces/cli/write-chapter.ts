// Which chapter is meant: its path, its number, or words of its title that fit only one.
import { GalleyError } from '../../core/model/error.js';
import { chapterNumber } from '../../writing/documents/numerals.js';
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
  const [inPath, inTitle] = [path.toLowerCase(), words.toLowerCase()];
  const named = documents.filter(
    ({ documentId, title }) =>
      documentId.toLowerCase().includes(inPath) || title.toLowerCase().includes(inTitle),
  );
  const numbered = documents.filter((entry) => numberOf(entry) === wantedNumber(words));
  const isNumber = /^\d+$/.test(words) && numbered.length > 0;
  const found = isNumber || named.length === 0 ? numbered : named;
  if (found.length === 1 && found[0] !== undefined) return found[0];
  const names = (found.length > 1 ? found : documents).slice(0, 8).map(({ documentId }) => documentId);
  throw new GalleyError(
    'NOT_FOUND',
    found.length > 1
      ? `Several chapters fit; name one of ${names.join(', ')}.`
      : `No chapter fits; ${names.length === 0 ? 'there are no Markdown or text files here' : `there are ${names.join(', ')}`}.`,
  );
}

/** What a chapter is called by: the number in its title, else its place. */
export function numberOf({ title, order }: Pick<Entry, 'title' | 'order'>): number {
  return chapterNumber(title) ?? order;
}

/** 7, 第七章, chapter 7: a number and nothing else; 第七章 also finds 第七回. */
function wantedNumber(words: string): number | undefined {
  const isOrdinal = /^\s*(?:第\s*\S{1,8}\s*[回章节卷部幕集话篇折出]|[a-z]+\s+\S+|\d+)\s*$/iu.test(words);
  return isOrdinal ? chapterNumber(words) : undefined;
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
