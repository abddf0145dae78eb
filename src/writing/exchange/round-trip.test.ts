import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { sweepSize } from '../../../test/sweep-size.js';
import { openStore } from '../../store/sqlite/open-store.js';
import type { Store } from '../../store/store.js';
import { nastyText } from '../../testing/nasty-text.js';
import { wordsOf } from './book/blocks.js';
import { readMarkdown } from './book/read-markdown.js';
import { readPlain } from './book/read-plain.js';
import { exportBook, exportFormats } from './export/export-book.js';
import { gatherBook } from './export/gather-book.js';
import { importBook } from './import/import-book.js';

let store: Store;

beforeEach(async () => {
  store = await openStore({ path: ':memory:', now: () => 1 });
});

afterEach(() => store.close());

/** Word for word: every line that says something, blanks in a row as one. */
function words(lines: readonly string[]): string[] {
  return lines.map((line) => line.replace(/\s+/gu, ' ').trim()).filter((line) => line !== '');
}

async function bringIn(project: string, name: string, content: string | Uint8Array) {
  const bytes = typeof content === 'string' ? new TextEncoder().encode(content) : content;
  return importBook(
    { files: [{ name, bytes }], name, isWritten: true },
    { store, project, folder: undefined },
  );
}

async function bookWords(project: string): Promise<string[]> {
  const { chapters } = await gatherBook(store, project, { title: 'x', modified: 0 });
  return words(chapters.flatMap(({ blocks }) => blocks.map(wordsOf)));
}

const facts = { title: '雨夜', author: 'A & B <c>', modified: 1_700_000_000_000 };

const odd = [
  '*emphasis* and **strong** and ***both*** and _under_ and snake_case_name and 2 * 3 * 4 = 24',
  '“你好，”他说。「是吗？」——她没有回答……',
  'an <b>element</b>, an &amp; entity, a <!-- half comment, a \\ backslash and a \\* star',
  '😀 👩‍👩‍👧 𠮷野家 𝒜 e\u0301',
  '# not a heading in a text',
  '- a dash, 1. a number, > a mark, `code`, [link](to) and ~tilde~',
  '* * *',
  '  two  blanks   within',
  '第一章的时候他还小。',
  'Part one of the plan was simple.',
  ']]> <?xml version="1.0"?> <w:t>',
];

function bookOf(lines: readonly string[], heading: (number: number) => string): string {
  return [1, 2, 3].map((number) => [heading(number), '', ...lines].join('\n\n')).join('\n\n');
}

describe('a book comes in, goes out and comes in again', () => {
  for (const format of exportFormats) {
    for (const [name, heading] of [
      ['text.txt', (number: number) => `第${number}章 雨`],
      ['text.md', (number: number) => `# Chapter ${number}: Rain`],
    ] as const) {
      it(`says the same words as ${format}, from ${name}`, async () => {
        const isMarkdown = name.endsWith('.md');
        // In Markdown that line is a heading, and a chapter of its own.
        const text = bookOf(isMarkdown ? odd.filter((line) => !line.startsWith('#')) : odd, heading);
        await bringIn('one', name, text);
        const read = isMarkdown ? readMarkdown(text).blocks : readPlain(text);
        const before = words(read.map(wordsOf));
        expect(await bookWords('one')).toEqual(before);
        const { bytes } = await exportBook({ store, project: 'one' }, format, facts);
        const { chapters } = await bringIn('two', `again.${format}`, bytes);
        expect(await bookWords('two')).toEqual(before);
        expect(chapters).toHaveLength(3);
        expect(bytes).toEqual((await exportBook({ store, project: 'one' }, format, facts)).bytes);
      });
    }

    it(`loses nothing of odd texts as ${format}`, async () => {
      let number = 0;
      // NUL and half pairs are refused at the door; control characters have no place in XML.
      const text = fc.array(fc.oneof(nastyText(12), fc.constantFrom(...odd)), { maxLength: 6 }).map((lines) =>
        lines
          .join('\n')
          .toWellFormed()
          // biome-ignore lint/suspicious/noControlCharactersInRegex: what XML cannot say
          .replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/gu, ''),
      );
      await fc.assert(
        fc.asyncProperty(text, fc.constantFrom('txt', 'md'), async (body, kind) => {
          number += 1;
          const [one, two] = [`one-${number}`, `two-${number}`];
          await bringIn(one, `book.${kind}`, `${kind === 'md' ? '# ' : ''}第一章 雨\n\n${body}\n`);
          const before = (await bookWords(one)).join('\n').replace(/\s+/gu, ' ');
          const { bytes } = await exportBook({ store, project: one }, format, facts);
          await bringIn(two, `again.${format}`, bytes);
          const after = (await bookWords(two)).join('\n').replace(/\s+/gu, ' ');
          expect(after).toBe(before);
        }),
        { numRuns: sweepSize(`books out and in as ${format}`, { everyRun: 60, nightly: 3_000 }) },
      );
    });
  }

  it('keeps emphasis, scenes and quotations on their way', async () => {
    const text =
      '# Chapter 1\n\nShe *ran* and **fell**.\n\n***\n\n> Dear Ann,\n\nHe waited.\n\n\nLater he left.\n\nThe end.\n';
    await bringIn('one', 'book.md', text);
    const read = async (project: string) =>
      (await gatherBook(store, project, facts)).chapters.flatMap(({ blocks }) => blocks);
    const before = await read('one');
    expect(before).toContainEqual({ kind: 'break', mark: '' });
    for (const format of ['docx', 'epub'] as const) {
      const { bytes } = await exportBook({ store, project: 'one' }, format, facts);
      await bringIn(format, `again.${format}`, bytes);
      expect(await read(format)).toEqual(before);
    }
  });

  it('adds no escapes where a line reads as what it is', async () => {
    const lines = [
      '2 * 3 = 6 and snake_case_name, a * b',
      '- 一条清单',
      '1. A number',
      'She *ran*, `code`, <b>bold</b> &amp; more',
      '价格~100~200元',
      '[link](to) + more',
    ];
    const text = `# Chapter 1\n\n${lines.join('\n\n')}\n`;
    await bringIn('md', 'book.md', text);
    for (const format of ['md', 'docx', 'epub'] as const) {
      const { bytes } = await exportBook({ store, project: 'md' }, format, facts);
      await bringIn(`from-${format}`, `again.${format}`, bytes);
      const out = await exportBook({ store, project: `from-${format}` }, 'md', facts);
      expect(new TextDecoder().decode(out.bytes)).toBe(text);
    }
  });

  it('joins lines that an editor broke, and leaves verse as it stands', async () => {
    const wrapped =
      'It was a bright cold day in April, and the clocks were\nstriking thirteen.\n\nTyger Tyger,\nburning bright\n';
    await bringIn('one', 'book.txt', `Chapter 1\n\n${wrapped}`);
    expect(await bookWords('one')).toEqual([
      'Chapter 1',
      'It was a bright cold day in April, and the clocks were striking thirteen.',
      'Tyger Tyger,',
      'burning bright',
    ]);
  });

  it('leaves out notes that no reader is to see, and says so', async () => {
    await bringIn('one', 'book.md', '---\npov: Ann\n---\n# Chapter 1\n\nShe ran. <!-- faster? -->\n');
    const { warnings, bytes } = await exportBook({ store, project: 'one' }, 'md', facts);
    expect(new TextDecoder().decode(bytes)).toBe('# Chapter 1\n\nShe ran.\n');
    expect(warnings.map(({ code }) => code)).toEqual(['NOTES_LEFT_OUT']);
  });
});
