// The words of the page in the language of the reader; a choice is remembered by the browser.
import { signal } from '@preact/signals';
import { en } from './en.js';
import { zh } from './zh.js';

export type WordName = keyof typeof en;
export type Language = 'en' | 'zh';

const kept = (() => {
  try {
    return localStorage.getItem('galley.language');
  } catch {
    return null;
  }
})();

export const language = signal<Language>(
  kept === 'zh' || kept === 'en' ? kept : document.documentElement.lang === 'zh' ? 'zh' : 'en',
);

export function setLanguage(chosen: Language): void {
  language.value = chosen;
  document.documentElement.lang = chosen;
  try {
    localStorage.setItem('galley.language', chosen);
  } catch {
    // Remembered until the page is closed.
  }
}

type Values = Readonly<Record<string, string | number>>;

/** Words of a view, which come with it: `{name}` in a word is filled from the values, `{name|word|words}` is one of two by the number. */
export function wordsOf<Name extends string>(
  words: Readonly<Record<Language, Readonly<Record<Name, string>>>>,
): (name: Name, values?: Values) => string {
  return (name, values = {}) =>
    words[language.value][name].replace(
      /\{(\w+)(?:\|([^|}]*)\|([^}]*))?\}/g,
      (hole, key: string, one?: string, many?: string) =>
        one === undefined ? String(values[key] ?? hole) : String(Number(values[key]) === 1 ? one : many),
    );
}

export const word: (name: WordName, values?: Values) => string = wordsOf<WordName>({ en, zh });

const locale = () => (language.value === 'zh' ? 'zh-CN' : 'en-US');

export const grouped = (n: number): string => n.toLocaleString(locale());

/** In English as the browser writes days. */
export const moment = (at: number | string): string =>
  new Date(at).toLocaleString(language.value === 'zh' ? locale() : undefined);
