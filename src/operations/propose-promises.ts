// Promises that a model finds in the chapters, with their quotations. Nothing of it enters the ledger by itself.
import * as z from 'zod';
import { GalleyError, toGalleyError } from '../core/model/error.js';
import { textField } from '../core/model/input.js';
import type { RunRecord } from '../models/contract/model.js';
import type { ProposedPromise } from '../writing/propose/propose-promises.js';
import { bookEstimate, bookSpent, bookStore, failedChapter, modelFields } from './book.js';
import { defineOperation, storeErrors } from './operation.js';
import { inParts, partFields } from './parts.js';
import { answer, count, inferred, named } from './published-schema.js';
import { nameField } from './request-fields.js';
import { runRecords } from './shared-answers.js';

const proposed = answer<ProposedPromise>()(
  named(
    'ProposedPromise',
    z.strictObject({
      text: z.string(),
      documentId: z.string(),
      title: z.string().describe('of the chapter'),
      line: count.describe('from 1, of the quotation'),
      quote: z.string().describe('as it stands in the chapter'),
    }),
  ),
);

export const promisesPropose = defineOperation({
  id: 'promises:propose',
  summary:
    'Promises that a model finds in the chapters, with quotations; what was answered before is not asked again, and nothing enters the ledger.',
  input: z.strictObject({
    projectId: nameField,
    documentIds: z
      .array(nameField)
      .min(1)
      .max(20_000)
      .optional()
      .describe('the chapters to read; all of them when left out'),
    ...modelFields,
    model: textField(200).describe('provider/name'),
    ...partFields,
  }),
  inParts: true,
  streams: true,
  example: { projectId: 'novel', model: 'anthropic/claude-sonnet-4-5', dryRun: true },
  output: inParts(
    inferred(
      z.strictObject({
        proposed: z.array(proposed).describe('in reading order, without those in the ledger'),
        unfounded: count.describe('claims that quote nothing in the chapter, which were dropped'),
        failed: z.array(failedChapter).describe('chapters the model could not read; ask again for them'),
        complete: z.boolean(),
        estimate: bookEstimate,
        spent: bookSpent.optional(),
        runs: runRecords.describe('one for every call'),
      }),
    ),
  ),
  grant: 'read',
  errors: [...storeErrors, 'NOT_FOUND', 'FORBIDDEN', 'MODEL_NOT_CONFIGURED', 'CONFIG_INVALID'],
  run: async ({ projectId, documentIds, dryRun, ...asked }, context) => {
    const [{ priced }, { notInLedger, promisePages }, { askEach }, { readPromises }] = await Promise.all([
      import('./priced-model.js'),
      import('../writing/propose/propose-promises.js'),
      import('../writing/passages/ask-each.js'),
      import('../writing/promises/ledger.js'),
    ]);
    const model = await priced(asked.model, asked, context);
    const { store } = await bookStore(context, projectId);
    const chapters = [];
    for (const { id, title } of await chosen(store.documents.list(projectId), documentIds))
      chapters.push({ id, title, text: (await store.documents.get(projectId, id)).text });
    const failed: z.output<typeof failedChapter>[] = [];
    const fail = ({ id, title }: { id: string; title: string }, error: unknown) => {
      const { code, message } = toGalleyError(error);
      if (!failed.some(({ documentId }) => documentId === id))
        failed.push({ documentId: id, title, code, message });
    };
    const onSent = (receipt: Parameters<typeof model.keep>[0]) =>
      model.keep(receipt, { projectId, operation: 'promises:propose' });
    const pages = [];
    for (const chapter of chapters) {
      const set = await promisePages(chapter, { ...model.ports, store, projectId, onSent });
      if (set.left > 0) fail(chapter, tooLong());
      pages.push(...set.pages);
    }
    const open = pages.filter((page) => page.isOpen());
    const inputTokens = open.reduce((sum, { tokens }) => sum + tokens, 0);
    const estimate = model.estimate({ pages: pages.length, calls: open.length, inputTokens });
    context.onEstimate?.(estimate);
    const runs: RunRecord[] = [];
    let done = pages.length - open.length;
    if (!dryRun)
      await askEach(open, {
        signal: context.signal,
        ask: async (page) => {
          runs.push(await page.ask());
        },
        fail: ({ chapter }, error) => fail(chapter, error),
        onDone: () => {
          done += 1;
          context.onProgress?.({ stage: 'read', done, total: pages.length });
        },
      });
    const found = pages.map((page) => page.found());
    return {
      proposed: notInLedger(
        found.flatMap((each) => each.proposed),
        await readPromises(store, projectId),
      ),
      unfounded: found.reduce((sum, { unfounded }) => sum + unfounded, 0),
      failed,
      complete: failed.length === 0,
      estimate,
      ...(dryRun ? {} : { spent: model.spent(runs) }),
      runs,
    };
  },
});

async function chosen<Entry extends { readonly id: string }>(
  listed: Promise<readonly Entry[]>,
  ids: readonly string[] | undefined,
): Promise<readonly Entry[]> {
  const entries = await listed;
  if (ids?.some((id) => !entries.some((entry) => entry.id === id)))
    throw new GalleyError('NOT_FOUND', 'documentIds: the project has no such document.', {
      details: { field: 'documentIds' },
    });
  return entries.filter(({ id }) => ids?.includes(id) ?? true);
}

function tooLong(): GalleyError {
  return new GalleyError(
    'CONTEXT_INPUT_TOO_LARGE',
    'A paragraph is longer than the model can read and was left out; split it.',
  );
}
