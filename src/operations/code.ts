// The code a task needs, found by words, paths and history. What searches is loaded when it is asked to.
import * as z from 'zod';
import type { FoundCode } from '../review/find/find-code.js';
import { findRequest } from '../review/find/find-request.js';
import { defineOperation, reviewErrors } from './operation.js';
import { answer, count } from './published-schema.js';
import { receipt, warnings } from './shared-answers.js';

const file = z.strictObject({
  path: z.string(),
  score: z.number().describe('comparable within one answer only'),
  why: z.string(),
  line: count.optional().describe('a line the task names in it'),
});

const snippet = z.strictObject({
  path: z.string(),
  startLine: count.describe('from 1'),
  endLine: count.describe('inclusive'),
  side: z.literal('new').describe('as it is in the files that were asked'),
  blob: z.string(),
  text: z.string().describe('its lines, secrets taken out'),
  why: z.string(),
});

export const codeFind = defineOperation({
  id: 'code:find',
  summary:
    'Finds the code a task needs: from its words, an issue or a stack trace to ranked files and their telling lines, within a budget.',
  input: findRequest,
  example: { query: 'login fails after the session expires', budget: { tokens: 4_000 } },
  output: answer<FoundCode>()(
    z.strictObject({
      files: z.array(file).describe('most likely first'),
      found: count.describe('files that anything speaks for'),
      snippets: z.array(snippet).describe('what stands in the text, in its order'),
      text: z.string().describe('the list of files and the lines, ready for a model'),
      next: count.optional().describe('`from` of the next part; absent when these were all'),
      warnings,
      receipt,
    }),
  ),
  grant: 'read',
  errors: reviewErrors,
  run: async (request, { folder, signal }) => {
    const { findCode } = await import('../review/find/find-code.js');
    return findCode(request, { folder, signal });
  },
});
