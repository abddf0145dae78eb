// The ledger of promises: what the book makes its readers wait for, where it was set up, whether it was paid, and what was forgotten.
import * as z from 'zod';
import { GalleyError } from '../core/model/error.js';
import { withoutFront } from '../writing/documents/front-matter.js';
import type { StoryPromise } from '../writing/told/told-lists.js';
import { bookStore } from './book.js';
import { defineOperation, type OperationContext, storeErrors } from './operation.js';
import { inParts, partFields } from './parts.js';
import { listedStore } from './project-store.js';
import { answer, count, inferred, named } from './published-schema.js';
import { itemRequest, nameField, projectRequest, proseField } from './request-fields.js';
import { deleted } from './shared-answers.js';

const ledger = () => import('../writing/promises/ledger.js');

const fields = {
  id: z.string(),
  text: z.string(),
  state: z.enum(['open', 'paid']).describe('open: still owed'),
  chapter: z.string().optional().describe('that set it up, as the ledger names it'),
  paidIn: z.string().optional().describe('chapter that paid it, as the ledger names it'),
  quote: z.string().optional().describe('words of the chapter that set it up'),
};

const promise = answer<StoryPromise>()(named('StoryPromise', z.strictObject(fields)));

export const promisesList = defineOperation({
  id: 'promises:list',
  summary: 'Lists the promises of a book, where each was last touched, and which are forgotten.',
  input: projectRequest.extend({
    forgottenAfter: z
      .int()
      .min(1)
      .max(100_000)
      .default(10)
      .describe('so many chapters without a word of it make an open promise forgotten'),
    ...partFields,
  }),
  inParts: true,
  example: { projectId: 'novel' },
  output: inParts(
    inferred(
      z.strictObject({
        promises: z.array(
          named(
            'ListedPromise',
            z.strictObject({
              ...fields,
              lastTouched: z.string().optional().describe('the last chapter that speaks of it'),
              untouched: count.describe('chapters since; 0 when it is paid'),
              forgotten: z.boolean().describe('open, and untouched for too long'),
            }),
          ),
        ),
      }),
    ),
  ),
  grant: 'read',
  errors: storeErrors,
  run: async ({ projectId, forgottenAfter }, context) => {
    const { readPromises } = await ledger();
    const { touchedBy } = await import('../writing/promises/touched.js');
    const { store } = await bookStore(context, projectId);
    const promises = await readPromises(store, projectId);
    const entries = promises.length === 0 ? [] : await store.documents.list(projectId);
    const chapters = [];
    for (const { id, title, order } of entries)
      chapters.push({
        id,
        title,
        order,
        text: withoutFront((await store.documents.get(projectId, id)).text),
      });
    const people = promises.length === 0 ? [] : await store.entities.list(projectId);
    const touched = touchedBy(promises, chapters, { people, forgottenAfter });
    return {
      promises: promises.map((row, index) => ({ ...row, ...(touched[index] as (typeof touched)[number]) })),
    };
  },
});

const chapterField = nameField.describe('id of the chapter');

export const promisesAdd = defineOperation({
  id: 'promises:add',
  summary: 'Notes a promise the book makes its readers; the same words are there once.',
  input: z.strictObject({
    projectId: nameField,
    text: proseField(4_000),
    chapter: chapterField.optional().describe('that sets it up'),
    quote: proseField(4_000)
      .optional()
      .describe(fields.quote.description ?? ''),
  }),
  example: { projectId: 'novel', text: 'What does the silver key open?', chapter: 'chapter-1' },
  output: promise,
  grant: 'write',
  errors: [...storeErrors, 'NOT_FOUND', 'ALREADY_EXISTS', 'FILE_UNREADABLE'],
  run: async ({ projectId, text, chapter, quote }, context) => {
    const home = await ledgerOf(context, projectId, { chapter });
    const notes = {
      ...(chapter === undefined ? {} : { chapter }),
      ...(quote === undefined ? {} : { quote }),
    };
    return (await ledger()).addPromise(home, { text, state: 'open', ...notes });
  },
});

export const promisesPay = defineOperation({
  id: 'promises:pay',
  summary: 'Notes that a promise is paid, and where.',
  input: itemRequest.extend({ chapter: chapterField.optional().describe('that pays it') }),
  example: { projectId: 'novel', id: 'as promises:list names it', chapter: 'chapter-9' },
  output: promise,
  grant: 'write',
  errors: [...storeErrors, 'NOT_FOUND', 'FILE_UNREADABLE'],
  run: async ({ projectId, id, chapter }, context) => {
    const home = await ledgerOf(context, projectId, { chapter });
    const paidIn = chapter === undefined ? {} : { paidIn: chapter };
    return (await ledger()).changePromise(home, id, (row) => ({ ...row, state: 'paid', ...paidIn }));
  },
});

export const promisesUpdate = defineOperation({
  id: 'promises:update',
  summary:
    'Changes fields of a promise; fields left out keep their value, and one that is open again owes its payment.',
  input: itemRequest.extend({
    text: proseField(4_000).optional(),
    chapter: chapterField.optional().describe('that sets it up'),
    state: fields.state.optional(),
  }),
  example: { projectId: 'novel', id: 'as promises:list names it', state: 'open' },
  output: promise,
  grant: 'write',
  errors: [...storeErrors, 'NOT_FOUND', 'ALREADY_EXISTS', 'FILE_UNREADABLE'],
  run: async ({ projectId, id, ...asked }, context) => {
    const home = await ledgerOf(context, projectId, asked);
    const given = Object.fromEntries(Object.entries(asked).filter(([, value]) => value !== undefined));
    return (await ledger()).changePromise(home, id, (row) => {
      const { paidIn, ...open } = { ...row, ...given };
      return open.state === 'open' || paidIn === undefined ? open : { ...open, paidIn };
    });
  },
});

export const promisesRemove = defineOperation({
  id: 'promises:remove',
  summary: 'Takes a promise out of the ledger.',
  input: itemRequest,
  example: { projectId: 'novel', id: 'as promises:list names it' },
  output: deleted,
  grant: 'write',
  errors: [...storeErrors, 'NOT_FOUND', 'FILE_UNREADABLE'],
  run: async ({ projectId, id }, context) => {
    await (await ledger()).removePromise(await ledgerOf(context, projectId, {}), id);
    return { id, deleted: true as const };
  },
});

/** The list is a file that is changed as one; the store itself follows it. A chapter that is named must be there. */
async function ledgerOf(
  context: OperationContext,
  project: string,
  { chapter }: { readonly chapter?: string | undefined },
) {
  await listedStore(context, project);
  const store = await context.store();
  if (chapter !== undefined && (await store.documents.find(project, chapter)) === undefined)
    throw new GalleyError('NOT_FOUND', 'chapter: the project has no such document.', {
      details: { field: 'chapter' },
    });
  return { store, project, folder: context.folder };
}
