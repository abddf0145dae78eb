// A book comes in and goes out: documents:import reads files of many kinds into chapters and cards, documents:export makes one file.
import * as z from 'zod';
import { GalleyError } from '../core/model/error.js';
import { textField } from '../core/model/input.js';
import { encodings } from '../writing/exchange/import/decode-text.js';
import { type ImportedBook, importBook } from '../writing/exchange/import/import-book.js';
import { becomes, type GivenFile, sourceFormats } from '../writing/exchange/import/incoming.js';
import { ownsFolder } from '../writing/folder/project-folder.js';
import { readWithin } from '../writing/folder/read-within.js';
import { defineOperation, storeErrors } from './operation.js';
import { answer, count, named } from './published-schema.js';
import { nameField } from './request-fields.js';
import { warnings } from './shared-answers.js';

const largestImport = 64 * 1024 * 1024;

const givenFile = z
  .strictObject({
    name: nameField.describe('the name it has where it comes from; its ending says what it may be'),
    text: textField(largestImport).optional(),
    base64: z
      .string()
      .max(Math.ceil((largestImport / 3) * 4) + 4)
      .refine((text) => /^[A-Za-z0-9+/]*={0,2}$/.test(text), { error: 'is not base64' })
      .optional(),
  })
  .refine(({ text, base64 }) => (text === undefined) !== (base64 === undefined), {
    error: 'needs either text or base64',
  });

const importedFile = named(
  'ImportedFile',
  z.strictObject({
    path: z.string().describe('where it is, or would be written'),
    title: z.string(),
    characters: count.describe('without blanks'),
    isThere: z.boolean().describe('it stood there already, and nothing is written'),
  }),
);

const importedBook = answer<ImportedBook>()(
  z.strictObject({
    format: z.enum(sourceFormats).describe('what was given'),
    encoding: z.string().optional().describe('of a text'),
    title: z.string().optional().describe('of the book, where the file names it'),
    place: z.enum(['folder', 'store']).describe('a project that owns its folder gets files'),
    written: z.boolean(),
    chapters: z.array(importedFile),
    cards: z.array(importedFile),
    kept: z.array(z.string()).describe('files that keep what has no place in a chapter or card'),
    fields: z
      .array(
        z.strictObject({
          field: z.string().describe('as the source calls it'),
          became: z.enum(becomes),
          count,
        }),
      )
      .describe('what became of what the source holds'),
    warnings,
  }),
);

export const documentsImport = defineOperation({
  id: 'documents:import',
  summary:
    'Brings a book in: text in any usual encoding, Markdown, DOCX, EPUB, exports of NovelCrafter, world books and character cards.',
  input: z
    .strictObject({
      projectId: nameField,
      files: z.array(givenFile).min(1).max(5_000).optional(),
      path: nameField.optional().describe('instead of files: a file within the folder of the project'),
      name: nameField.optional().describe('of the whole, where several files are given'),
      into: textField(512).optional().describe('folder of the project for the chapters; "." is the top'),
      encoding: z.enum(encodings).optional().describe('told from the bytes when left out'),
      dryRun: z.boolean().default(false).describe('says what would be written, and writes nothing'),
    })
    .refine(({ files, path }) => (files === undefined) !== (path === undefined), {
      error: 'needs either files or path',
    }),
  example: {
    projectId: 'novel',
    files: [{ name: 'book.txt', text: 'Chapter 1\nAda opened the door.\n\nChapter 2\nIt was dark.\n' }],
    dryRun: true,
  },
  output: importedBook,
  grant: 'write',
  errors: [...storeErrors, 'FILE_UNREADABLE', 'ALREADY_EXISTS', 'NOT_FOUND', 'CONTEXT_LIMIT_EXCEEDED'],
  run: async ({ projectId, files, path, name, into, encoding, dryRun }, context) => {
    const store = await context.store();
    const isOwner = await ownsFolder(store, projectId, context.folder);
    const given = files?.map(bytesOf) ?? [await fileWithin(context.folder, path ?? '', isOwner)];
    if (given.reduce((sum, { bytes }) => sum + bytes.length, 0) > largestImport)
      throw new GalleyError('PAYLOAD_TOO_LARGE', `files: are larger than ${largestImport} bytes together.`, {
        details: { field: 'files' },
      });
    return importBook(
      { files: given, name: name ?? given[0]?.name ?? 'book', into, encoding, isWritten: !dryRun },
      { store, project: projectId, folder: isOwner ? context.folder : undefined },
    );
  },
});

function bytesOf({ name, text, base64 }: z.output<typeof givenFile>): GivenFile {
  const bytes = base64 === undefined ? Buffer.from(text ?? '') : Buffer.from(base64, 'base64');
  return { name: name.replaceAll('\\', '/'), bytes };
}

async function fileWithin(folder: string, path: string, isOwner: boolean): Promise<GivenFile> {
  if (!isOwner)
    throw new GalleyError(
      'INVALID_ARGUMENT',
      'path: this project has no folder; hand over the files themselves.',
      {
        details: { field: 'path' },
      },
    );
  return { name: path, bytes: await readWithin(folder, path, { mostBytes: largestImport }) };
}
