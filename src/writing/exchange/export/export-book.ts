// Makes one file of the book.
import type { Warning } from '../../../core/model/error.js';
import { GalleyError } from '../../../core/model/error.js';
import type { Store } from '../../../store/store.js';
import { wordsOf } from '../book/blocks.js';
import { type BookFacts, gatherBook, type OutgoingBook } from './gather-book.js';

export const exportFormats = ['md', 'txt', 'docx', 'epub'] as const;
export type ExportFormat = (typeof exportFormats)[number];

export interface ExportedBook {
  readonly format: ExportFormat;
  readonly mediaType: string;
  readonly title: string;
  readonly language: string;
  readonly chapters: number;
  /** Without blanks. */
  readonly characters: number;
  readonly bytes: Uint8Array;
  readonly warnings: readonly Warning[];
}

const mediaTypes: Readonly<Record<ExportFormat, string>> = {
  md: 'text/markdown',
  txt: 'text/plain',
  docx: 'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
  epub: 'application/epub+zip',
};

export async function exportBook(
  { store, project }: { readonly store: Store; readonly project: string },
  format: ExportFormat,
  facts: BookFacts,
): Promise<ExportedBook> {
  const book = await gatherBook(store, project, facts);
  if (book.chapters.length === 0)
    throw new GalleyError('NOT_FOUND', 'There is no chapter to export yet.', {
      details: { kind: 'document' },
    });
  return {
    format,
    mediaType: mediaTypes[format],
    title: book.title,
    language: book.language,
    chapters: book.chapters.length,
    characters: charactersOf(book),
    bytes: await bytesOf(book, format),
    warnings: warningsOf(book, format),
  };
}

async function bytesOf(book: OutgoingBook, format: ExportFormat): Promise<Uint8Array> {
  if (format === 'docx') return (await import('./write-docx.js')).writeDocx(book);
  if (format === 'epub') return (await import('./write-epub.js')).writeEpub(book);
  const { writeTextBook } = await import('./write-text.js');
  return new TextEncoder().encode(writeTextBook(book, format));
}

function charactersOf({ chapters }: OutgoingBook): number {
  let count = 0;
  for (const { blocks } of chapters)
    for (const block of blocks)
      for (const character of wordsOf(block)) if (character.trim() !== '') count += 1;
  return count;
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is looked for
const control = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/u;

function warningsOf(book: OutgoingBook, format: ExportFormat): Warning[] {
  const warnings: Warning[] = [];
  if (book.notes > 0)
    warnings.push({
      code: 'NOTES_LEFT_OUT',
      message: `NOTES_LEFT_OUT: ${book.notes} comment(s) or front matter of chapters were left out.`,
    });
  const isXml = format === 'docx' || format === 'epub';
  if (isXml && book.chapters.some(({ blocks }) => blocks.some((block) => control.test(wordsOf(block)))))
    warnings.push({
      code: 'CONTROL_CHARACTERS',
      message:
        'CONTROL_CHARACTERS: control characters of the text have no place in this format and were left out.',
    });
  return warnings;
}
