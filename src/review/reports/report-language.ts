// Which words does a report for people use? What machines read is the same in every language.
import type { ReportWords } from './report-words.js';
import { englishWords } from './words-en.js';
import { chineseWords } from './words-zh.js';

export const reportLanguages = ['en', 'zh'] as const;

export type ReportLanguage = (typeof reportLanguages)[number];

export function reportWords(language: ReportLanguage = 'en'): ReportWords {
  return language === 'zh' ? chineseWords : englishWords;
}

const chinese = /^zh(?:$|[ -])|chinese|mandarin|[中汉漢华華][文语語]|[国國][语語]|普通[话話]/i;

/** A model writes in any language; we have words of our own in two. */
export function reportLanguageOf(name: string | undefined): ReportLanguage {
  return name !== undefined && chinese.test(name) ? 'zh' : 'en';
}
