// The book as one text or one Markdown file. Chapters that are in that form already go out as they stand.
import { wordsOf } from '../book/blocks.js';
import { withoutNotes } from '../book/read-markdown.js';
import { writeMarkdown } from '../book/write-markdown.js';
import type { OutgoingBook, OutgoingChapter } from './gather-book.js';

export function writeTextBook(book: OutgoingBook, format: 'md' | 'txt'): string {
  const parts = book.chapters.map((chapter) =>
    trimmed(format === 'md' ? markdownOf(chapter) : plainOf(chapter)),
  );
  return `${parts.filter((part) => part !== '').join('\n\n')}\n`;
}

function markdownOf({ source, blocks }: OutgoingChapter): string {
  return source.format === 'md' ? withoutNotes(source.text).text : writeMarkdown(blocks);
}

function plainOf({ source, blocks }: OutgoingChapter): string {
  return source.format === 'txt' ? source.text : blocks.map(wordsOf).join('\n\n');
}

/** Blank lines around a chapter; blanks that indent its first line are its own. */
function trimmed(text: string): string {
  return text.replace(/^(?:[^\S\n]*\n)+/u, '').trimEnd();
}
