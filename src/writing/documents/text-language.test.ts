import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { textLanguage } from './text-language.js';

describe('the language of texts', () => {
  it.each([
    ['a Chinese chapter', ['林远走进了屋子。他很冷静。'], 'zh'],
    ['an English chapter', ['Mara shut the ferry door behind her.'], 'en'],
    ['Chinese with English names', ['Mara 把 iPhone 放回口袋，走进了 Greenwich 的旧车站。'], 'zh'],
    ['English with a Chinese name', ['The sign said 茶馆, and old Mr Wen was asleep beneath it.'], 'en'],
    ['an English chapter under one Chinese rule', ['She ran. '.repeat(50), '不使用感叹号'], 'en'],
    ['a Chinese chapter under English rules', ['他没有说话。'.repeat(50), 'No exclamation marks.'], 'zh'],
    ['other letters than Chinese ones', ['Она закрыла дверь.'], 'en'],
    ['a title alone', ['', '第九章'], 'zh'],
    ['nothing', [], undefined],
    ['no letters', ['', '12:30 … 😀'], undefined],
  ])('of %s', (_what, texts, language) => {
    expect(textLanguage(texts)).toBe(language);
  });

  it('does not depend on how the words are divided into texts', () => {
    const words = fc.array(fc.constantFrom('雨停了', 'The rain', '。', ' ', '门', 'stopped', '42'));
    fc.assert(
      fc.property(words, (parts) => {
        expect(textLanguage(parts)).toBe(textLanguage([parts.join('')]));
      }),
    );
  });
});
