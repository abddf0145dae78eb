import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { paragraphs, sentences } from './borders.js';
import { indexText } from './indexed-text.js';

const split = (text: string) => sentences(text).map((range) => indexText(text).slice(range));
const splitParagraphs = (text: string) => paragraphs(text).map((range) => indexText(text).slice(range));

describe('sentences', () => {
  it('ends Chinese sentences behind their closing quotes', () => {
    expect(split('“走吧！”他说。天黑了……没有人回答？！」')).toEqual([
      '“走吧！”',
      '他说。',
      '天黑了……',
      '没有人回答？！」',
    ]);
  });

  it('knows the full-width stop of older Chinese texts, but not between digits', () => {
    expect(split('此开卷第一回也．作者自云：３．１４')).toEqual(['此开卷第一回也．', '作者自云：３．１４']);
  });

  it('tells closing straight quotes from opening ones', () => {
    expect(split('他说："好．"然后走了．"等等！"')).toEqual(['他说："好．"', '然后走了．', '"等等！"']);
  });

  it('does not end at a stop that a comma follows', () => {
    expect(split('“走！”，他喊道。')).toEqual(['“走！”，他喊道。']);
  });

  it('ends English sentences, not abbreviations, initials, decimals or list numbers', () => {
    expect(split('Mr. J. Smith paid 3.50 dollars, e.g. for tea. He left! "Why?" she asked.')).toEqual([
      'Mr. J. Smith paid 3.50 dollars, e.g. for tea. ',
      'He left! ',
      '"Why?" she asked.',
    ]);
    expect(split('1. Fresh water. Bread.')).toEqual(['1. Fresh water. ', 'Bread.']);
  });

  it('ends at an ellipsis only where a new sentence begins', () => {
    expect(split('Wait... what? Wait... No.')).toEqual(['Wait... what? ', 'Wait... ', 'No.']);
  });

  it('keeps a Markdown heading apart from the text below it', () => {
    expect(split('# The storm\nIt came at night. We\nslept.')).toEqual([
      '# The storm\n',
      'It came at night. ',
      'We\nslept.',
    ]);
  });

  it('tiles every text, and every paragraph end is a sentence end', () => {
    const unit = fc.constantFrom(
      'a',
      'B',
      '红',
      '😀',
      '。',
      '.',
      '！',
      '"',
      '”',
      '…',
      ' ',
      '\n',
      '#',
      '1',
      '，',
    );
    fc.assert(
      fc.property(fc.string({ unit, maxLength: 60, size: 'max' }), (text) => {
        expect(split(text).join('')).toBe(text);
        expect(splitParagraphs(text).join('')).toBe(text);
        const ends = new Set(sentences(text).map((range) => range.end));
        for (const paragraph of paragraphs(text)) expect(ends.has(paragraph.end)).toBe(true);
      }),
      { numRuns: 500 },
    );
  });
});

describe('paragraphs', () => {
  it('takes each Chinese line as a paragraph and gives blank lines to the one before', () => {
    expect(splitParagraphs('\n第一段\n\n第二段，\n　　第三段')).toEqual([
      '\n第一段\n\n',
      '第二段，\n',
      '　　第三段',
    ]);
  });

  it('keeps hard-wrapped English lines together', () => {
    expect(splitParagraphs('one line\nand the next\n\n- a\n- b')).toEqual([
      'one line\nand the next\n\n',
      '- a\n',
      '- b',
    ]);
  });
});
