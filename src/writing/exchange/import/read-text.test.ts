import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { sweepSize } from '../../../../test/sweep-size.js';
import { readHeadingLine } from '../../documents/heading-line.js';
import { decodeText } from './decode-text.js';
import { readTextFile } from './read-text.js';
import { splitChapters } from './split-chapters.js';

const simplified = '他没有说话，只是看着窗外的雨。这个时候门开了，她走进来，手里拿着一封信。';
const traditional = '他沒有說話，只是看著窗外的雨。這個時候門開了，她走進來，手裡拿著一封信。';
const english = 'He said nothing and watched the rain. “Don’t,” she said at the café.';

/** Bytes of texts above, as other programs save them. */
const gb18030 = Buffer.from(
  'cbfbc3bbd3d0cbb5bbb0a3acd6bbcac7bfb4d7c5b4b0cde2b5c4d3eaa1a3d5e2b8f6cab1baf2c3c5bfaac1cba3accbfdd7dfbdf8c0b4a3accad6c0efc4c3d7c5d2bbb7e2d0c5a1a3',
  'hex',
);
const big5 = Buffer.from(
  'a54ca853a6b3bba1b8dca141a575ac4facddb5dbb5a1a57eaabaab42a143b36fadd3aec9add4aaf9b67da446a141a66fa8abb669a8d3a141a4e2b8ccaeb3b5dba440abcaab48a143',
  'hex',
);

function utf16(text: string, order: 'le' | 'be', mark: boolean): Uint8Array {
  const bytes = Buffer.from(`${mark ? '\ufeff' : ''}${text}`, 'utf16le');
  return order === 'le' ? bytes : bytes.swap16();
}

describe('a text in any usual encoding', () => {
  for (const [encoding, bytes, text] of [
    ['utf-8', Buffer.from(simplified), simplified],
    ['utf-8', Buffer.from(`\ufeff${simplified}`), simplified],
    ['gb18030', gb18030, simplified],
    ['big5', big5, traditional],
    ['utf-16le', utf16(simplified, 'le', true), simplified],
    ['utf-16be', utf16(traditional, 'be', true), traditional],
    ['utf-16le', utf16(english, 'le', false), english],
    ['utf-16be', utf16(english, 'be', false), english],
    ['utf-16le', utf16(simplified, 'le', false), simplified],
    ['utf-16be', utf16(simplified, 'be', false), simplified],
    [
      'windows-1252',
      Buffer.from(
        [...english].map((c) => ({ '“': 0x93, '”': 0x94, '’': 0x92, é: 0xe9 })[c] ?? c.charCodeAt(0)),
      ),
      english,
    ],
  ] as const)
    it(`is known as ${encoding} and read whole: ${text.slice(0, 4)}`, () => {
      expect(decodeText(bytes, 'book.txt')).toEqual({ text, encoding, replaced: 0 });
    });

  it('is named, and GBK behind the name .md is read', () => {
    const read = readTextFile({ name: 'book.md', bytes: gb18030 });
    expect(read).toMatchObject({ encoding: 'gb18030', chapters: [{ text: simplified }], warnings: [] });
  });

  it('is never patched in silence: what no encoding explains is refused, a named one says how much was lost', () => {
    const damaged = Buffer.concat([gb18030, Buffer.from([0x80, 0xff, 0x0a]), gb18030]);
    expect(() => decodeText(damaged, 'book.txt')).toThrow(/--encoding gb18030/);
    expect(() => decodeText(Buffer.from([0, 1, 2, 3, 0xff, 0xfe, 0x80, 0x81, 0x90]), 'book.txt')).toThrow(
      /not text in UTF-8/,
    );
    const read = readTextFile({ name: 'book.txt', bytes: damaged }, { encoding: 'gb18030' });
    expect(read.warnings.map(({ code }) => code)).toEqual(['TEXT_DAMAGED']);
    expect(read.chapters[0]?.text).toContain('\ufffd');
  });

  it('loses its NUL characters, and says so', () => {
    const read = readTextFile({ name: 'a.txt', bytes: Buffer.from('a\0b') }, { encoding: 'utf-8' });
    expect(read.chapters[0]?.text).toBe('ab');
    expect(read.warnings.map(({ code }) => code)).toEqual(['TEXT_DAMAGED']);
  });

  it('may be five megabytes in one paragraph, which is said', () => {
    const read = readTextFile({ name: 'a.txt', bytes: Buffer.from('雨夜长谈，'.repeat(350_000)) });
    expect(read.chapters).toHaveLength(1);
    expect(read.warnings.map(({ code }) => code)).toEqual(['LONG_PARAGRAPH']);
  });
});

const titles = (text: string) =>
  splitChapters(text, 'txt').map(({ title, volume }) => [volume, title].filter(Boolean).join(' / '));

describe('one long text', () => {
  for (const line of [
    ...[
      '第一章',
      '第十二回 甄士隐梦幻识通灵',
      '第１０章：入城',
      '第三节',
      '正文 第一章 雨',
      '楔子',
      '序章 雪夜',
      '尾声',
      '番外一 中秋',
    ],
    ...[
      'Chapter 1',
      'CHAPTER IV.',
      'Chapter Twenty-One: The Storm',
      'Prologue',
      'Epilogue – Home',
      'Chapter 7 The Box',
    ],
    ...['第一卷 风起 第三章 入城'],
  ])
    it(`takes for the name of a chapter: ${line}`, () => expect(readHeadingLine(line)?.rank).toBe('chapter'));

  for (const line of ['第一卷 风起', '卷二 江湖', '第三部', 'PART ONE', 'Book II: Fire', 'Act 3'])
    it(`takes for the name of a part: ${line}`, () => expect(readHeadingLine(line)?.rank).toBe('volume'));

  for (const line of [
    ...[
      '第一章的时候他还小。',
      '第四回中既将薛家母子在荣府内寄居等事略已表明．',
      '序幕拉开了',
      '第三节课他迟到了，',
    ],
    ...[
      'Part one of the plan was simple.',
      'Chapter and verse',
      'Book it now',
      'Acts of kindness',
      'Prologues bore me.',
      '第一次见面',
    ],
  ])
    it(`takes for text: ${line}`, () => expect(readHeadingLine(line)).toBeUndefined());

  it('becomes chapters that are the text again, one behind the other', () => {
    const piece = fc.constantFrom(
      '第一章 雨\n',
      '第一卷\n',
      'Chapter 2\n',
      '# 雪\n',
      '\n',
      '　　他走了。\n',
      'II\n',
      'I\n',
      '目录\n',
      'x',
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 30 }), fc.constantFrom('md', 'txt'), (pieces, format) => {
        const text = pieces.join('');
        const parts = splitChapters(text, format);
        expect(parts.map((part) => part.text).join('')).toBe(text);
      }),
      { numRuns: sweepSize('texts cut into chapters', { everyRun: 500, nightly: 20_000 }) },
    );
  });

  it('has a part of its own for what stands before the first heading', () => {
    expect(titles('雨夜\n作者：甲\n\n第一章\n他来了。\n第二章\n他走了。\n')).toEqual([
      '',
      '第一章',
      '第二章',
    ]);
  });

  it('has a table of contents, which is text', () => {
    const contents = '目录\n第一章 雨……1\n第二章 雪……20\n第三章 风……31\n\n';
    const body = '第一章 雨\n他来了。\n第二章 雪\n他走了。\n第三章 风\n完。\n';
    expect(titles(contents + body)).toEqual(['', '第一章 雨', '第二章 雪', '第三章 风']);
    expect(titles(body)).toEqual(['第一章 雨', '第二章 雪', '第三章 风']);
  });

  it('may say the name of a chapter twice', () => {
    expect(titles('第一章 雨\n\n第一章雨——\n他来了。\n第二章\n他走了。\n')).toEqual(['第一章 雨', '第二章']);
  });

  it('has volumes with chapters that count anew', () => {
    const text = '第一卷 风\n第一章\na\n第二章\nb\n第二卷 雨\n第一章\nc\n';
    expect(titles(text)).toEqual([
      '第一卷 风',
      '第一卷 风 / 第一章',
      '第一卷 风 / 第二章',
      '第二卷 雨',
      '第二卷 雨 / 第一章',
    ]);
  });

  it('may only count its chapters', () => {
    expect(titles('I\nHe came.\nII\nHe left. He was 5\n5\nIII\nThe end.\n')).toEqual(['I', 'II', 'III']);
    expect(titles('He was\n5\nand left.\n')).toEqual(['']);
  });

  it('in Markdown is cut where the headings number chapters, else at the highest with several', () => {
    const volumes = '# 第一卷\n## 第一章\na\n### 一\nb\n## 第二章\nc\n# 第二卷\n## 第一章\nd\n';
    expect(splitChapters(volumes).map(({ title }) => title)).toEqual([
      undefined,
      '第一章',
      '第二章',
      undefined,
      '第一章',
    ]);
    expect(splitChapters('# My Book\n\nby me\n\n## Rain\na\n## Snow\nb\n').map(({ title }) => title)).toEqual(
      [undefined, 'Rain', 'Snow'],
    );
    expect(splitChapters('```\n# no\n```\n# Rain\na\n# Snow\nb').map(({ title }) => title)).toEqual([
      undefined,
      'Rain',
      'Snow',
    ]);
  });
});
