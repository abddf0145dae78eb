import { describe, expect, it } from 'vitest';
import { indexText } from './indexed-text.js';
import { type Choice, placeAfter, selectionIn } from './select.js';

const text = '# 一\n\n😀雨停了。林远走进\n院子。\n\n雨停了，夜深了。\n\nThe end. (Really?)\n';
const chosen = (choice: Choice) => {
  const range = selectionIn(text, choice);
  return range === undefined ? undefined : indexText(text).slice(range);
};

describe('selecting in people’s words', () => {
  it('takes quotations, paragraphs and lines, without the blanks around them', () => {
    expect(chosen({})).toBeUndefined();
    expect(chosen({ from: '林远', to: '夜深了。' })).toBe('林远走进\n院子。\n\n雨停了，夜深了。');
    expect(chosen({ from: '(Really?' })).toBe('(Really?)');
    expect(chosen({ to: '# 一' })).toBe('# 一');
    expect(chosen({ from: '林远走进 院子。', to: '院子。' })).toBe('林远走进\n院子。');
    expect(chosen({ from: 'The end.', to: 'The end.' })).toBe('The end.');
    expect(chosen({ paragraphs: '4' })).toBe('雨停了，夜深了。');
    expect(chosen({ paragraphs: '4-5' })).toBe('雨停了，夜深了。\n\nThe end. (Really?)');
    expect(chosen({ lines: '3-4' })).toBe('😀雨停了。林远走进\n院子。');
    expect(placeAfter(text, 'The end.')).toBe(indexText(text).length - ' (Really?)\n'.length);
  });

  it.each<[Choice, RegExp]>([
    [{ from: '雨停了' }, /--from: .*2 times \(paragraph 2, 4\); quote more/],
    [{ from: '雪' }, /--from: these words are not in the chapter/],
    [{ from: 'The end', to: '林远' }, /--to: these words do not follow/],
    [{ from: ' ' }, /must quote words/],
    [{ paragraphs: '9' }, /--paragraph: the chapter has \d/],
    [{ lines: '5-3' }, /--lines: must be a number/],
    [{ paragraphs: '1', lines: '2' }, /not by several/],
  ])('refuses %j and says why, without a word of the chapter', (choice, why) => {
    expect(() => selectionIn(text, choice)).toThrow(why);
    expect(() => selectionIn(text, choice)).not.toThrow(/雨|林远/);
  });
});
