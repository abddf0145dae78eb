import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { queryTermsOf, stem, termsOf, tokensOf } from './terms.js';

describe('the search terms of a text', () => {
  it('holds pairs and single characters, so that words of one and two characters are found', () => {
    expect(termsOf('小猫咪')).toEqual(['小', '小猫', '猫', '猫咪', '咪']);
    expect(queryTermsOf('猫')).toEqual(['猫']);
    expect(queryTermsOf('猫咪')).toEqual(['猫咪']);
  });

  it('finds every word of one or two characters in every text that holds it', () => {
    const character = fc.constantFrom('红', '楼', '梦', '𫚭', 'あ', '한', '，', 'a', '1', ' ');
    const word = fc.string({
      unit: fc.constantFrom('红', '楼', '梦', '𫚭', 'あ', '한'),
      minLength: 1,
      maxLength: 2,
    });
    fc.assert(
      fc.property(
        fc.string({ unit: character }),
        word,
        fc.string({ unit: character }),
        (before, inner, after) => {
          const index = new Set(termsOf(before + inner + after));
          for (const term of queryTermsOf(inner)) expect(index.has(term)).toBe(true);
        },
      ),
    );
  });

  it('folds width, case and accents, and keeps numbers', () => {
    expect(termsOf('Ｎ６４ Café CAFE\u0301 ½')).toEqual(['n64', 'cafe', 'cafe', '1', '2']);
    expect(termsOf('2017年')).toEqual(['2017', '年']);
  });

  it('leaves question words out of a query unless it is nothing else', () => {
    expect(queryTermsOf('What is the storm?')).toEqual(['storm']);
    expect(queryTermsOf('什么')).toEqual(['什么']);
    expect(queryTermsOf('')).toEqual([]);
  });

  it('points every token at its text', () => {
    const text = '蓝线𫚭 was 红';
    expect(tokensOf(text).map((token) => text.slice(token.start, token.end))).toEqual([
      '蓝',
      '蓝线',
      '线',
      '线𫚭',
      '𫚭',
      'was',
      '红',
    ]);
  });
});

describe('the stem of a word', () => {
  it.each([
    ['running', 'run'],
    ['stories', 'story'],
    ['boxes', 'box'],
    ['stopped', 'stop'],
    ['creation', 'created'],
    ['founded', 'found'],
    ['nations', 'national'],
  ])('brings %s and %s together', (left, right) => {
    expect(stem(left)).toBe(stem(right));
  });

  it('leaves short words and other alphabets alone', () => {
    expect(['bus', 'this', 'красный', 'sing'].map(stem)).toEqual(['bus', 'this', 'красный', 'sing']);
  });
});
