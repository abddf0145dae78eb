import { describe, expect, it } from 'vitest';
import { outlineExcerpt } from '../sources/read-settings.js';

const outline = [
  '# 大纲',
  '',
  '## 第一章 起',
  '一上',
  '一下',
  '',
  '## 第二章 承',
  '二',
  '',
  '## 第三章 转',
  '三',
].join('\n');

describe('the place in an outline', () => {
  it('is this chapter and the next, on their lines', () => {
    expect(outlineExcerpt(outline, 1)).toEqual({
      text: '## 第一章 起\n一上\n一下\n\n## 第二章 承\n二',
      lines: { start: 3, end: 8 },
    });
  });

  it('is the last chapter alone at the end', () => {
    expect(outlineExcerpt(outline, 3)).toEqual({ text: '## 第三章 转\n三', lines: { start: 10, end: 11 } });
  });

  it('is the whole where the chapter is unknown or the outline has no chapters', () => {
    expect(outlineExcerpt(outline, 9)).toEqual({ text: outline });
    expect(outlineExcerpt(outline, undefined).lines).toBeUndefined();
    expect(outlineExcerpt('先相遇，再分开。', 1)).toEqual({ text: '先相遇，再分开。' });
  });

  it('reads list items and English names', () => {
    expect(outlineExcerpt('- Chapter 1: he leaves\n- Chapter 2: he returns\n- Chapter 3: end', 2)).toEqual({
      text: '- Chapter 2: he returns\n- Chapter 3: end',
      lines: { start: 2, end: 3 },
    });
  });
});
