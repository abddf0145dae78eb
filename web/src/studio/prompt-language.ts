// In which language a prompt is set: as the commands do it, by the chapter and the rules; where nothing is written yet, as the rest of
// the book, and at last as the page is read.
import { textLanguage } from '../../../src/writing/documents/text-language.js';
import { call } from '../shell/call.js';
import { language } from '../shell/words/word.js';
import { asked, chapters, ruleTexts } from './book.js';

/** Enough to tell, and read in no time at all. */
const mostRead = 20_000;

export function languageOf(text: string): 'en' | 'zh' {
  const titles = chapters.peek()?.map(({ title }) => title) ?? [];
  return (
    textLanguage([text.slice(0, mostRead), ...ruleTexts.peek()]) ?? textLanguage(titles) ?? language.peek()
  );
}

const known = new Map<string, Promise<'en' | 'zh'>>();

/** Of a chapter that is not open; asked once. */
export function languageOfChapter(documentId: string): Promise<'en' | 'zh'> {
  const found = known.get(documentId) ?? read(documentId);
  known.set(documentId, found);
  found.catch(() => known.delete(documentId));
  return found;
}

async function read(documentId: string): Promise<'en' | 'zh'> {
  const [{ title, text }, { constraints }] = await Promise.all([
    call('documents:get', { ...asked(), documentId }),
    call('constraints:list', asked()),
  ]);
  return textLanguage([title, text, ...constraints.map((rule) => rule.text)]) ?? language.peek();
}
