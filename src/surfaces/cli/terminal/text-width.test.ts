import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { widthOf, wrapped } from './text-width.js';

const text = fc
  .array(fc.constantFrom('page', '改', '动', '，', '。', ' ', '（', '）', '--json', '审', 'token', '：'), {
    maxLength: 60,
  })
  .map((parts) => parts.join(''));

describe('wrapping', () => {
  it('breaks Chinese between characters and Latin between words', () => {
    expect(wrapped('显示审查当前改动会发送什么：文件、页', 20)).toBe(
      '显示审查当前改动会发\n送什么：文件、页',
    );
    expect(wrapped('at most so many pages', 10)).toBe('at most so\nmany pages');
    expect(wrapped('one\ntwo', 80)).toBe('one\ntwo');
  });

  it('loses nothing but blanks, and a line is too wide only when its last piece has no place to break', () => {
    fc.assert(
      fc.property(text, fc.integer({ min: 12, max: 60 }), (words, width) => {
        const lines = wrapped(words, width);
        expect(lines.replaceAll(/\s/g, '')).toBe(words.replaceAll(/\s/g, ''));
        for (const line of lines.split('\n')) {
          if (widthOf(line) > width) expect(line).toMatch(/^[^ ]*$/);
        }
      }),
    );
  });

  it('begins no line with a stop that had a word before it', () => {
    fc.assert(
      fc.property(fc.array(fc.constantFrom('审查', '改动', 'token'), { minLength: 1 }), (parts) => {
        const lines = wrapped(parts.join('，'), 14).split('\n');
        for (const line of lines) expect(line).not.toMatch(/^，/);
      }),
    );
  });
});
