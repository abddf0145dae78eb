// A book comes in and goes out: documents:import reads files of many kinds into chapters and cards, documents:export makes one file.
import * as z from 'zod';
import { GalleyError } from '../core/model/error.js';
import { isProjectRelative } from '../core/model/fragment.js';
import { textField } from '../core/model/input.js';
import { type ExportedBook, exportBook, exportFormats } from '../writing/exchange/export/export-book.js';
import { encodings } from '../writing/exchange/import/decode-text.js';
import { type ImportedBook, importBook } from '../writing/exchange/import/import-book.js';
import { becomes, type GivenFile, sourceFormats } from '../writing/exchange/import/incoming.js';
import { fileNameOf } from '../writing/exchange/import/plan-files.js';
import { writeNewFile } from '../writing/exchange/import/write-new-files.js';
import { isChapterPath } from '../writing/folder/chapter-files.js';
import { followOwnFolder } from '../writing/folder/follow-folder.js';
import { ownsFolder } from '../writing/folder/project-folder.js';
import { readWithin } from '../writing/folder/read-within.js';
import { defineOperation, type OperationContext, storeErrors } from './operation.js';
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

/** What an answer says of a book that went out: its content, or where it was written. */
export interface ExportAnswer extends Omit<ExportedBook, 'bytes'> {
  readonly name: string;
  readonly size: number;
  readonly text?: string;
  readonly base64?: string;
  readonly path?: string;
}

const exported = answer<ExportAnswer>()(
  z.strictObject({
    format: z.enum(exportFormats),
    mediaType: z.string(),
    name: z.string().describe('a name for the file'),
    title: z.string(),
    language: z.string().describe('tag of BCP 47'),
    chapters: count,
    characters: count.describe('without blanks'),
    size: count.describe('bytes'),
    text: z.string().optional().describe('the file, of md and txt'),
    base64: z.string().optional().describe('the file, of docx and epub'),
    path: z.string().optional().describe('where it was written, if the request named a path'),
    warnings,
  }),
);

export const documentsExport = defineOperation({
  id: 'documents:export',
  summary: 'Makes one file of the book: Markdown, plain text, DOCX or EPUB.',
  input: z.strictObject({
    projectId: nameField,
    format: z.enum(exportFormats),
    title: nameField.optional().describe('of the book; the id of the project when left out'),
    author: nameField.optional(),
    language: z
      .string()
      .regex(/^[A-Za-z]{2,3}(?:-[A-Za-z0-9]{2,8})*$/, {
        error: 'must be a language tag such as zh-Hans or en',
      })
      .optional()
      .describe('told from the text when left out'),
    modified: z
      .int()
      .min(0)
      .max(8_640_000_000_000)
      .optional()
      .describe('milliseconds since 1970; now when left out'),
    path: nameField
      .optional()
      .describe('a new file within the folder of the project, instead of the content in the answer'),
  }),
  example: { projectId: 'novel', format: 'md' },
  output: exported,
  grant: 'read',
  errors: [...storeErrors, 'NOT_FOUND', 'ALREADY_EXISTS', 'FORBIDDEN'],
  run: async ({ projectId, format, path, title = projectId, ...facts }, context) => {
    const store = await context.store();
    if (path !== undefined) await checkTarget(path, { projectId, format }, context);
    const followed = await followOwnFolder(store, projectId, context.folder);
    const modified = facts.modified ?? context.now();
    const { bytes, ...book } = await exportBook({ store, project: projectId }, format, {
      ...facts,
      title,
      modified,
    });
    const name = `${fileNameOf(title, 'book')}.${format}`;
    const told = { ...book, name, size: bytes.length, warnings: [...followed, ...book.warnings] };
    if (path !== undefined) {
      await writeNewFile(context.folder, { path, content: bytes });
      return { ...told, path };
    }
    const content = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    return format === 'md' || format === 'txt'
      ? { ...told, text: content.toString('utf8') }
      : { ...told, base64: content.toString('base64') };
  },
});

/** Who may only read writes nothing, and no export becomes a chapter of the book it was made of. */
async function checkTarget(
  path: string,
  { projectId, format }: { projectId: string; format: string },
  context: OperationContext,
): Promise<void> {
  const refused = (message: string) =>
    new GalleyError('INVALID_ARGUMENT', `path: ${message}.`, { details: { field: 'path' } });
  if (!context.grants.has('write'))
    throw new GalleyError(
      'FORBIDDEN',
      'Writing a file needs the grant "write"; leave out path to get the content.',
    );
  if (!isProjectRelative(path))
    throw refused('must be relative to the folder of the project and stay inside it');
  if (!path.toLowerCase().endsWith(`.${format}`)) throw refused(`must end in .${format}`);
  if (isChapterPath(path))
    throw refused('would become a chapter of the book; put it into a hidden folder or elsewhere');
  if (!(await ownsFolder(await context.store(), projectId, context.folder)))
    throw refused('this project has no folder; leave it out to get the content');
}
