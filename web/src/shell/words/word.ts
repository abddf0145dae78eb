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

/** `{name}` in a word is filled from the values. */
export function word(name: WordName, values: Readonly<Record<string, string | number>> = {}): string {
  return filled((language.value === 'zh' ? zh : en)[name], values);
}

export function filled(text: string, values: Readonly<Record<string, string | number>>): string {
  return text.replace(/\{(\w+)\}/g, (hole, key: string) => String(values[key] ?? hole));
}

export const grouped = (n: number): string => n.toLocaleString(language.value === 'zh' ? 'zh-CN' : 'en-US');
