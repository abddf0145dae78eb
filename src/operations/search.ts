// documents:search: every place of the book where words, a name or words near each other stand.
import * as z from 'zod';
import type { Warning } from '../core/model/error.js';
import { followOwnFolder } from '../writing/folder/follow-folder.js';
import { type BookSearch, searchBook } from '../writing/search/search-book.js';
import { defineOperation, storeErrors } from './operation.js';
import { answer, count, named } from './published-schema.js';
import { nameField, proseField } from './request-fields.js';
import { warnings } from './shared-answers.js';

const hit = named(
  'SearchHit',
  z.strictObject({
    documentId: z.string(),
    title: z.string(),
    order: z.number().describe('place of the chapter in reading order'),
    paragraph: count.describe('of the chapter, from 1'),
    line: count.describe('of the chapter, from 1'),
    start: count.describe('code points from the start of the chapter'),
    end: count,
    text: z.string().describe('what stands there'),
    score: z
      .number()
      .describe('1 where the words stand as they were asked for; the further apart they are, the less'),
    sentence: z.string().describe('the sentence around it, or the part of a very long one'),
    from: count.describe('where in the sentence the words stand, in code points'),
    to: count,
    isCut: z.boolean().describe('only a part of the sentence is shown'),
  }),
);

export interface SearchAnswer extends BookSearch {
  readonly warnings: readonly Warning[];
}

const found = answer<SearchAnswer>()(
  z.strictObject({
    kind: z.enum(['words', 'name', 'near']).describe('how it was looked for'),
    words: z
      .array(z.string())
      .describe('the query; every name of a person; or the words that stand near each other'),
    total: count.describe('all occurrences'),
    hits: z.array(hit).describe('in reading order'),
    rest: z
      .array(z.strictObject({ documentId: z.string(), title: z.string(), count }))
      .describe('occurrences that are not among the hits, by chapter'),
    searched: z.strictObject({ chapters: count, characters: count.describe('UTF-16 code units') }),
    warnings,
  }),
);

export const documentsSearch = defineOperation({
  id: 'documents:search',
  summary:
    'Finds every occurrence of words, of a person by any of their names, or of words near each other, in reading order.',
  input: z.strictObject({
    projectId: nameField,
    query: proseField(2_000).describe('words as they stand in the text; a name finds the other names too'),
    documentId: nameField.optional().describe('only in this chapter'),
    exact: z.boolean().optional().describe('capitals, full-width forms and kinds of quotes matter'),
    wholeWord: z
      .boolean()
      .optional()
      .describe('not within longer words; for scripts with blanks between words'),
    near: z.int().min(1).max(100_000).optional().describe('all words of the query within so many characters'),
    limit: z
      .int()
      .min(1)
      .max(10_000)
      .optional()
      .describe('hits in the answer; the rest is counted by chapter'),
  }),
  example: { projectId: 'novel', query: 'old door' },
  output: found,
  grant: 'read',
  errors: [...storeErrors, 'NOT_FOUND'],
  run: async ({ projectId, ...request }, context) => {
    const store = await context.store();
    const followed = await followOwnFolder(store, projectId, context.folder);
    return { ...(await searchBook(store, projectId, request)), warnings: followed };
  },
});
