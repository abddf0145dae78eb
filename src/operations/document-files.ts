// A chapter as an editor works on it, in its file where the project owns the folder: read, written back only over what was read; and
// the folder made a project in the first place.
import * as z from 'zod';
import { GalleyError } from '../core/model/error.js';
import { textField } from '../core/model/input.js';
import { readChapter, writeChapter } from '../writing/drafts/write-chapter.js';
import { changeErrors, chapterErrors, homesOf } from './drafts.js';
import { defineOperation, storeErrors } from './operation.js';
import { count, inferred } from './published-schema.js';
import { nameField, projectRequest } from './request-fields.js';
import { warnings } from './shared-answers.js';

const hash = z.string().regex(/^[0-9a-f]{64}$/, { error: 'must be a SHA-256 in lowercase hexadecimal' });
const hashOfFile = z.string().describe('of the chapter as it stands, all its bytes; SHA-256, hexadecimal');

export const documentsRead = defineOperation({
  id: 'documents:read',
  summary:
    'Gives a chapter as it stands now, from its file in a folder project, with the hash to write it by.',
  input: z.strictObject({
    projectId: nameField,
    documentId: nameField,
    known: hash.optional().describe('the state the caller has; the text is left out while it is that'),
  }),
  example: { projectId: 'novel', documentId: 'chapter-1' },
  output: inferred(
    z.strictObject({
      documentId: z.string(),
      hash: hashOfFile,
      text: z.string().optional().describe('without byte order mark, every line break one "\\n"'),
    }),
  ),
  grant: 'read',
  errors: chapterErrors,
  run: async ({ projectId, documentId, known }, context) => {
    const home = (await homesOf(projectId, context)).ofDocument(documentId);
    const { text, hash: now } = await readChapter(home, documentId);
    return { documentId, hash: now, ...(now === known ? {} : { text }) };
  },
});

export const documentsWrite = defineOperation({
  id: 'documents:write',
  summary:
    'Writes a chapter over the state that was read, into its file in a folder project; refused where it is another one by now.',
  input: z.strictObject({
    projectId: nameField,
    documentId: nameField,
    text: textField(),
    hash: hash.optional().describe('of the state that was read; left out for a chapter that is not there'),
    keep: z
      .boolean()
      .default(false)
      .describe('keeps the state before in the history; else only now and then'),
  }),
  example: { projectId: 'novel', documentId: 'chapter-9', text: 'Ada opened the old door.' },
  output: inferred(z.strictObject({ documentId: z.string(), hash: hashOfFile })),
  grant: 'write',
  errors: [...changeErrors, 'ALREADY_EXISTS'],
  run: async ({ projectId, documentId, text, hash: was, keep }, context) => {
    const homes = await homesOf(projectId, context);
    const home = homes.ofDocument(documentId);
    // Beside the folder's chapters nothing new is begun: it would be a chapter without a file.
    if (was === undefined && homes.all.length > 1 && home !== homes.all[0])
      throw new GalleyError(
        'INVALID_ARGUMENT',
        'documentId: must be the path of a .md or .txt file inside the folder, not hidden and not a card.',
        { details: { field: 'documentId' } },
      );
    return { documentId, hash: await writeChapter(home, documentId, { text, was, keep, at: context.now() }) };
  },
});

export const bookBegin = defineOperation({
  id: 'book:begin',
  summary:
    'Makes the folder a project: a list for constraints, whose folder it is, and an index of its chapters.',
  input: projectRequest,
  example: { projectId: 'novel' },
  output: inferred(z.strictObject({ projectId: z.string(), chapters: count, warnings })),
  grant: 'write',
  errors: [...storeErrors, 'FORBIDDEN', 'FILE_UNREADABLE'],
  run: async ({ projectId }, context) => {
    const { beginProject } = await import('../writing/owned/begin-project.js');
    const { chapters, warnings: said } = await beginProject(await context.store(), projectId, context.folder);
    return { projectId, chapters, warnings: said };
  },
});
