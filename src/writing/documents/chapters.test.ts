import { describe, expect, it } from 'vitest';
import { arrangeChapters, decodeDocument } from './chapters.js';
import { chapterNumber } from './numerals.js';

const file = (path: string, text = '正文。') => ({ path, bytes: new TextEncoder().encode(text) });
const paths = (...names: string[]) =>
  arrangeChapters(names.map((name) => file(name))).chapters.map((chapter) => chapter.path);

describe('the number of a chapter', () => {
  it.each([
    ['第十二回 贾天祥正照风月鉴', 12],
    ['第一百二十回', 120],
    ['第3章', 3],
    ['第１０章', 10],
    ['第二十章', 20],
    ['第一〇五回', 105],
    ['第两千零一章', 2001],
    ['Chapter 4', 4],
    ['chapter-IX', 9],
    ['07-storm', 7],
    ['12. Winter', 12],
    ['卷三', 3],
    ['三、归来', 3],
  ])('reads %s', (name, value) => {
    expect(chapterNumber(name)).toBe(value);
  });

  it('finds none where there is none', () => {
    expect(chapterNumber('一生一世')).toBeUndefined();
    expect(chapterNumber('storm')).toBeUndefined();
  });
});

describe('the order of chapters', () => {
  it('orders by number, not by name', () => {
    expect(paths('第十回.md', '第二回.md', '第一回.md')).toEqual(['第一回.md', '第二回.md', '第十回.md']);
    expect(paths('10.md', '9.md', 'Chapter 2.md')).toEqual(['Chapter 2.md', '9.md', '10.md']);
  });

  it('puts openings first, endings last and folders in their own order', () => {
    expect(paths('尾声.md', '第一章.md', '楔子.md')).toEqual(['楔子.md', '第一章.md', '尾声.md']);
    expect(paths('第二卷/第一章.md', '第一卷/第三章.md', '第一卷/第二章.md')).toEqual([
      '第一卷/第二章.md',
      '第一卷/第三章.md',
      '第二卷/第一章.md',
    ]);
  });

  it('takes titles from headings, numbered first lines or names, and numbers from titles where names have none', () => {
    const { chapters } = arrangeChapters([
      file('storm.md', '---\na: 1\n---\n\n# 第二章 风暴 #\n文'),
      file('calm.txt', '第一章 平静\n\n文'),
      file('03-后来.txt', '只有正文。'),
    ]);
    expect(chapters.map(({ title, order }) => [order, title])).toEqual([
      [1, '第一章 平静'],
      [2, '第二章 风暴'],
      [3, '03-后来'],
    ]);
  });

  it('does not depend on the order of the files and names what it cannot read', () => {
    const broken = { path: 'notes/坏.md', bytes: new Uint8Array([0xd6, 0xd0, 0xce, 0xc4]) };
    const files = [file('2.md'), broken, file('1.md')];
    const one = arrangeChapters(files);
    expect(arrangeChapters([...files].reverse())).toEqual(one);
    expect(one.chapters.map((chapter) => chapter.path)).toEqual(['1.md', '2.md']);
    expect(one.unreadable.map((error) => [error.code, error.details])).toEqual([
      ['FILE_UNREADABLE', { path: 'notes/坏.md' }],
    ]);
  });
});

describe('decoding a document', () => {
  it('drops the byte order mark and counts every line break once', () => {
    const bytes = new TextEncoder().encode('\ufeff一\r\n二\r三\n');
    expect(decodeDocument(bytes, 'a.md')).toEqual({ kind: 'text', text: '一\n二\n三\n' });
  });

  it('does not take UTF-16 or binary for text', () => {
    expect(decodeDocument(new Uint8Array([0xff, 0xfe, 0x61, 0x00]), 'a.txt').kind).toBe('unreadable');
    expect(decodeDocument(new Uint8Array([0x61, 0x00]), 'a.txt').kind).toBe('unreadable');
  });
});
