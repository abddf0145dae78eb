// A whole book at once: every chapter held against its rules and against what the book knows, and what the writer means as it stands.
import * as z from 'zod';
import { textField } from '../core/model/input.js';
import type { Receipt } from '../core/model/receipt.js';
import type { Estimate, Spent } from '../review/run/prepare-pages.js';
import type { BookFinding } from '../writing/book-check/book-finding.js';
import type { BookCheck, FailedChapter } from '../writing/book-check/check-book.js';
import type { Intended } from '../writing/book-check/intended.js';
import { checkKind } from './constraints.js';
import { defineOperation, type OperationContext, storeErrors } from './operation.js';
import { inParts, partFields } from './parts.js';
import { listedStore } from './project-store.js';
import { answer, count, inferred, named } from './published-schema.js';
import { itemRequest, modelTimeouts, nameField, projectRequest, proseField } from './request-fields.js';
import { deleted, runRecords, warnings } from './shared-answers.js';

const finding = answer<BookFinding>()(
  named(
    'BookFinding',
    z.strictObject({
      documentId: z.string(),
      title: z.string().describe('of the chapter'),
      paragraph: count.describe('from 1; headings do not count'),
      line: count.describe('from 1'),
      start: count.describe('in code points'),
      end: count,
      quote: z.string().describe('the text from start on; of a long stretch its beginning'),
      before: z.string().describe('what stands before the quote in its sentence'),
      after: z.string().describe('what stands behind the quote in its sentence'),
      rule: z.string().describe('in its own words'),
      ruleId: z.string().describe('of the constraint; entity: and a person, story: and a chapter'),
      check: checkKind,
      message: z.string(),
      intended: z.boolean().describe('the writer means it so'),
    }),
  ),
);

export const failedChapter = answer<FailedChapter>()(
  named(
    'FailedChapter',
    z.strictObject({
      documentId: z.string(),
      title: z.string().describe('of the chapter'),
      code: z.string(),
      message: z.string(),
    }),
  ),
);

const tokens = { inputTokens: count, cachedInputTokens: count };

export const bookEstimate = answer<Estimate>()(
  z
    .strictObject({
      pages: count.describe('prompts in all'),
      calls: count.describe('prompts without an answer from before'),
      ...tokens,
      dollars: z.number().optional().describe('for what is read; absent when the price is not known'),
    })
    .describe('what a model reads, as known before the first call'),
);

export const bookSpent = answer<Spent>()(
  z
    .strictObject({
      calls: count,
      ...tokens,
      outputTokens: count,
      dollars: z.number().optional().describe('absent when the price is not known'),
    })
    .describe('as the model reported it'),
);

type Answer = BookCheck & {
  readonly intended: number;
  readonly estimate?: Estimate;
  readonly spent?: Spent;
};

export const modelFields = {
  model: textField(200).optional().describe('provider/name; no model is asked when left out'),
  dryRun: z.boolean().default(false).describe('says what a model would cost, and asks nobody'),
  maxCost: z.number().positive().max(1_000_000).optional(),
  ...modelTimeouts,
};

export const bookCheck = defineOperation({
  id: 'book:check',
  summary:
    'Holds every chapter against the rules and, with a model, against what the book knows; what was answered before is not asked again.',
  input: z.strictObject({
    projectId: nameField,
    documentIds: z
      .array(nameField)
      .min(1)
      .max(20_000)
      .optional()
      .describe('the chapters to check; all of them when left out'),
    ...modelFields,
    ...partFields,
  }),
  inParts: true,
  streams: true,
  example: { projectId: 'novel' },
  output: inParts(
    answer<Answer>()(
      z.strictObject({
        chapters: count.describe('how many were checked'),
        findings: z.array(finding).describe('in reading order, what is intended among them'),
        intended: count.describe('findings that are meant as they stand'),
        unchecked: z.array(z.string()).describe('rules that nothing has checked, in their own words'),
        failed: z.array(failedChapter).describe('chapters the model could not read; ask again for them'),
        complete: z.boolean(),
        estimate: bookEstimate.optional(),
        spent: bookSpent.optional(),
        runs: runRecords.describe('one for every call'),
        warnings,
      }),
    ),
  ),
  grant: 'read',
  errors: [
    ...storeErrors,
    'NOT_FOUND',
    'FORBIDDEN',
    'FILE_UNREADABLE',
    'MODEL_NOT_CONFIGURED',
    'CONFIG_INVALID',
  ],
  remembers: ({ input: { projectId, model, dryRun }, answer: done }) =>
    model === undefined || dryRun
      ? undefined
      : { projectId, model, runs: done?.runs ?? [], failures: done?.failed.map(({ code }) => code) },
  run: async ({ projectId, documentIds, dryRun, ...asked }, context) => {
    const [{ checkBook }, { priced }] = await Promise.all([
      import('../writing/book-check/check-book.js'),
      import('./priced-model.js'),
    ]);
    const model = asked.model === undefined ? undefined : await priced(asked.model, asked, context);
    const { store, folder, followed } = await bookStore(context, projectId);
    let estimate: Estimate | undefined;
    const checked = await checkBook(
      { projectId, documentIds, dryRun },
      {
        ...{ store, folder },
        model:
          model === undefined
            ? undefined
            : {
                ...model.ports,
                onSent: (receipt: Receipt) => model.keep(receipt, { projectId, operation: 'book:check' }),
              },
        onProgress: (progress) => context.onProgress?.(progress),
        onEstimate: (foreseen) => {
          estimate = model?.estimate(foreseen);
          if (estimate !== undefined) context.onEstimate?.(estimate);
        },
      },
    );
    return {
      ...checked,
      warnings: [...followed, ...checked.warnings],
      intended: checked.findings.filter(({ intended }) => intended).length,
      ...(estimate === undefined ? {} : { estimate }),
      ...(model === undefined || dryRun ? {} : { spent: model.spent(checked.runs) }),
    };
  },
});

/** The store abreast of the files, chapters too. */
export async function bookStore(context: OperationContext, projectId: string) {
  const [{ followOwnFolder }, { projectFolder }] = await Promise.all([
    import('../writing/folder/follow-folder.js'),
    import('../writing/folder/project-folder.js'),
  ]);
  const store = await listedStore(context, projectId);
  const folder = await projectFolder(store, projectId, context.folder);
  const followed = folder === undefined ? [] : await followOwnFolder(store, projectId, folder);
  return { store, folder, followed };
}

const intendedFields = {
  words: z.string().describe('hold as long as they stand in the chapter'),
  chapter: z.string().optional().describe('its id or title; every chapter when left out'),
  rule: z.string().optional().describe('in its own words; every rule when left out'),
  why: z.string().optional().describe('as the writer says'),
};

const intendedItem = named('Intended', z.strictObject({ id: z.string(), ...intendedFields }));

export const bookIntendedList = defineOperation({
  id: 'book:intended:list',
  summary: 'Lists what the writer means as it stands, and whether it still stands.',
  input: projectRequest.extend(partFields),
  inParts: true,
  example: { projectId: 'novel' },
  output: inParts(
    inferred(
      z.strictObject({
        intended: z.array(
          intendedItem.extend({ holds: z.boolean().describe('the words stand in the chapter') }),
        ),
      }),
    ),
  ),
  grant: 'read',
  errors: storeErrors,
  run: async ({ projectId }, context) => {
    const { holdsIn, readIntended } = await import('../writing/book-check/intended.js');
    const { store } = await bookStore(context, projectId);
    const list = await readIntended(store, projectId);
    const holding = new Set<string>();
    for (const { id, title } of list.length === 0 ? [] : await store.documents.list(projectId)) {
      const { text } = await store.documents.get(projectId, id);
      for (const item of list) if (holdsIn(item, { id, title, text })) holding.add(item.id);
    }
    return { intended: list.map((item) => ({ ...item, holds: holding.has(item.id) })) };
  },
});

export const bookIntendedPut = defineOperation({
  id: 'book:intended:put',
  summary: 'Notes that words are meant as they stand; findings in them are counted and no longer shown.',
  input: z.strictObject({
    projectId: nameField,
    words: proseField(4_000).describe(intendedFields.words.description ?? ''),
    chapter: nameField.optional().describe(intendedFields.chapter.description ?? ''),
    rule: proseField(20_000)
      .optional()
      .describe(intendedFields.rule.description ?? ''),
    why: proseField(2_000)
      .optional()
      .describe(intendedFields.why.description ?? ''),
  }),
  example: { projectId: 'novel', words: 'She ran!', chapter: 'chapter-1', why: 'a quotation' },
  output: answer<Intended>()(intendedItem),
  grant: 'write',
  errors: [...storeErrors, 'ALREADY_EXISTS', 'FILE_UNREADABLE'],
  run: async ({ projectId, ...asked }, context) => {
    const { addIntended } = await import('../writing/book-check/intended.js');
    const draft = Object.fromEntries(Object.entries(asked).filter(([, said]) => said !== undefined));
    return addIntended(await intendedPlace(context, projectId), draft as Omit<Intended, 'id'>);
  },
});

export const bookIntendedDelete = defineOperation({
  id: 'book:intended:delete',
  summary: 'Takes words out of what is meant as it stands.',
  input: itemRequest,
  example: { projectId: 'novel', id: 'as book:intended:list names it' },
  output: deleted,
  grant: 'write',
  errors: [...storeErrors, 'NOT_FOUND', 'FILE_UNREADABLE'],
  run: async ({ projectId, id }, context) => {
    const { removeIntended } = await import('../writing/book-check/intended.js');
    await removeIntended(await intendedPlace(context, projectId), id);
    return { id, deleted: true as const };
  },
});

/** The list is a file that is changed as one; the store itself follows it. */
async function intendedPlace(context: OperationContext, project: string) {
  await listedStore(context, project);
  return { store: await context.store(), project, folder: context.folder };
}
