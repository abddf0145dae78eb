// Summaries of chapters, parts and the book: what holds and what is stale, written by a model or by hand.
import * as z from 'zod';
import { GalleyError, isGalleyError } from '../core/model/error.js';
import { textField } from '../core/model/input.js';
import type { Model } from '../models/contract/model.js';
import type { Store } from '../store/store.js';
import { followOwnFolder } from '../writing/folder/follow-folder.js';
import { noteHome } from '../writing/folder/note-home.js';
import { wholeBook } from '../writing/notes/book-notes.js';
import { partsOf, toldTogether } from '../writing/summaries/book-parts.js';
import type { SummaryEstimate } from '../writing/summaries/open-summaries.js';
import type { SummaryRow } from '../writing/summaries/summarise-book.js';
import { type ChapterSummary, readSummary, stateOf, writeSummary } from '../writing/summaries/summary.js';
import { defineOperation, modelErrors, type OperationContext, storeErrors } from './operation.js';
import { withinCost } from './priced-model.js';
import { count, inferred } from './published-schema.js';
import { modelTimeouts, nameField, projectRequest, proseField } from './request-fields.js';
import { errorCode } from './review-report.js';
import { receipt, runRecords, warnings } from './shared-answers.js';

const summed = z.enum(['chapter', 'part', 'book']);

/** The book as it stands, with what is said of it. */
async function openBook(projectId: string, context: OperationContext) {
  const store = await context.store();
  const followed = await followOwnFolder(store, projectId, context.folder);
  const home = await noteHome(store, projectId, context.folder);
  const entries = await store.documents.list(projectId);
  const notes = (await home.list('summary')).map(readSummary);
  return {
    store,
    home,
    entries,
    warnings: followed,
    summaries: new Map(notes.map((note) => [note.about, note])),
  };
}

async function chaptersOf(
  store: Store,
  projectId: string,
  entries: Awaited<ReturnType<Store['documents']['list']>>,
) {
  const chapters = [];
  for (const { id, title, contentHash: hash } of entries)
    chapters.push({ id, title, hash, text: (await store.documents.get(projectId, id)).text });
  return chapters;
}

export const summariesList = defineOperation({
  id: 'summaries:list',
  summary: 'Lists the summaries of chapters, parts and the book, and says which are stale or missing.',
  input: projectRequest,
  example: { projectId: 'novel' },
  output: inferred(
    z.strictObject({
      summaries: z.array(
        z.strictObject({
          documentId: z.string().describe('of a part its folder with a slash behind it, of the book "book"'),
          title: z.string(),
          kind: summed,
          state: z.enum(['fresh', 'stale', 'none']),
          by: z.string().optional().describe('the model that wrote it; absent where a person did'),
          text: z.string(),
        }),
      ),
      warnings,
    }),
  ),
  grant: 'read',
  errors: [...storeErrors, 'FILE_UNREADABLE'],
  run: async ({ projectId }, context) => {
    const { entries, summaries, warnings: said } = await openBook(projectId, context);
    const chapters = entries.map(({ id, title, contentHash }) => ({ id, title, hash: contentHash }));
    const rowOf = (about: string, title: string, kind: SummaryRow['kind'], hash: string | undefined) => {
      const known = summaries.get(about);
      const now = known === undefined || hash === undefined ? undefined : stateOf(known, hash);
      const state = now ?? (known === undefined ? ('none' as const) : ('stale' as const));
      const by = known?.by;
      return {
        documentId: about,
        title,
        kind,
        state,
        text: known?.text ?? '',
        ...(by === undefined ? {} : { by }),
      };
    };
    const hashOf = (own: Parameters<typeof togetherHash>[0]) => togetherHash(own, summaries);
    return {
      summaries: [
        ...chapters.map(({ id, title, hash }) => rowOf(id, title, 'chapter', hash)),
        ...partsOf(chapters).map(({ about, title, chapters: own }) =>
          rowOf(about, title, 'part', hashOf(own)),
        ),
        ...(summaries.has(wholeBook) ? [rowOf(wholeBook, '', 'book', hashOf(chapters))] : []),
      ],
      warnings: [...said],
    };
  },
});

/** Undefined where a chapter of them has none that holds. */
function togetherHash(
  chapters: readonly { readonly id: string; readonly title: string; readonly hash: string }[],
  summaries: ReadonlyMap<string, ChapterSummary>,
): string | undefined {
  const told = chapters.flatMap(({ id, title, hash }) => {
    const summary = summaries.get(id);
    return summary === undefined || stateOf(summary, hash) === 'stale'
      ? []
      : [{ title, summary: summary.text }];
  });
  return told.length < chapters.length ? undefined : toldTogether(told).hash;
}

const chapterRequest = z.strictObject({ projectId: nameField, documentId: nameField });

export const summariesPut = defineOperation({
  id: 'summaries:put',
  summary:
    'Keeps a summary that a person wrote, for the chapter as it stands; without a text the one that is there holds again.',
  input: chapterRequest.extend({ text: proseField(20_000).optional() }),
  example: { projectId: 'novel', documentId: 'chapter-1', text: 'Ada finds the room empty.' },
  output: inferred(z.strictObject({ documentId: z.string(), text: z.string() })),
  grant: 'write',
  errors: [...storeErrors, 'NOT_FOUND', 'FILE_UNREADABLE'],
  run: async ({ projectId, documentId, text }, context) => {
    const { store, home, summaries } = await openBook(projectId, context);
    const { contentHash: hash } = await store.documents.get(projectId, documentId);
    const known = summaries.get(documentId);
    const said = text ?? known?.text;
    if (said === undefined) {
      throw new GalleyError(
        'NOT_FOUND',
        'text: there is no summary of this chapter yet; say what it tells.',
        {
          details: { field: 'text' },
        },
      );
    }
    const by = text === undefined ? known?.by : undefined;
    const note = writeSummary({ text: said, hash, ...(by === undefined ? {} : { by }) });
    await home.put({ kind: 'summary', about: documentId, text: note });
    return { documentId, text: said };
  },
});

export const summariesDelete = defineOperation({
  id: 'summaries:delete',
  summary: 'Deletes the summary of a chapter, a part or the book.',
  input: chapterRequest,
  example: { projectId: 'novel', documentId: 'chapter-1' },
  output: inferred(z.strictObject({ documentId: z.string(), deleted: z.literal(true) })),
  grant: 'write',
  errors: [...storeErrors, 'NOT_FOUND', 'FILE_UNREADABLE'],
  run: async ({ projectId, documentId }, context) => {
    const home = await noteHome(await context.store(), projectId, context.folder);
    await home.delete('summary', documentId);
    return { documentId, deleted: true as const };
  },
});

/** What is only counted needs no model; it is counted as for one that is not known, and has no price. */
async function askedModel(
  { model, dryRun }: { readonly model?: string | undefined; readonly dryRun: boolean },
  context: OperationContext,
): Promise<Model> {
  try {
    return await context.model(model);
  } catch (error) {
    const isNone = isGalleyError(error) && error.code === 'MODEL_NOT_CONFIGURED' && model === undefined;
    if (!dryRun || !isNone) throw error;
    return { id: 'none', family: 'replay', run: () => Promise.reject(error) };
  }
}

export const bookSummarise = defineOperation({
  id: 'book:summarise',
  summary:
    'Has a model sum up chapters that have no summary that holds, then parts and the book; keeps each as it comes, priced before the first call.',
  input: z.strictObject({
    projectId: nameField,
    documentIds: z.array(nameField).max(20_000).optional().describe('all chapters when left out'),
    model: textField(200).optional(),
    maxCost: z.number().positive().max(1_000_000).optional().describe('in dollars, for the whole run'),
    concurrency: z.int().min(1).max(16).default(4),
    again: z.boolean().default(false).describe('also summaries that hold'),
    byHand: z.boolean().default(false).describe('together with again: also those people wrote or changed'),
    dryRun: z.boolean().default(false).describe('asks nothing and tells what it would cost; needs no model'),
    ...modelTimeouts,
  }),
  example: { projectId: 'novel', dryRun: true, model: 'anthropic/claude-sonnet-4-5' },
  streams: true,
  output: inferred(
    z.strictObject({
      estimate: z.strictObject({
        calls: count.describe('for chapters'),
        wholes: count.describe('for parts and the book, at most'),
        inputTokens: count,
        dollars: z.number().optional().describe('absent when the price is not known'),
      }),
      summaries: z.array(
        z.strictObject({
          documentId: z.string(),
          title: z.string(),
          kind: summed,
          outcome: z
            .enum(['written', 'kept', 'by-hand', 'failed', 'not-asked'])
            .describe('by-hand: stale, and left to whoever wrote it'),
          code: errorCode.optional(),
        }),
      ),
      complete: z.boolean().describe('every chapter that was asked for has a summary'),
      runs: runRecords,
      receipts: z.array(receipt),
      warnings,
    }),
  ),
  grant: 'run',
  errors: [
    ...storeErrors,
    'NOT_FOUND',
    'FILE_UNREADABLE',
    ...modelErrors,
    'CONFIG_INVALID',
    'COST_CEILING_REACHED',
  ],
  remembers: ({ input: { projectId, model, dryRun }, answer: done }) =>
    dryRun ? undefined : { projectId, model, runs: done?.runs ?? [] },
  run: async (asked, context) => {
    const {
      projectId,
      documentIds,
      maxCost,
      concurrency,
      again,
      byHand,
      dryRun,
      timeoutMs,
      firstByteTimeoutMs,
    } = asked;
    const [{ summariseBook }, { keepReceipt }] = await Promise.all([
      import('../writing/summaries/summarise-book.js'),
      import('./receipts.js'),
    ]);
    const [named, catalog] = [await askedModel(asked, context), await context.prices?.()];
    const model = dryRun ? named : withinCost(named, maxCost, catalog);
    const { store, home, entries, summaries, warnings: said } = await openBook(projectId, context);
    for (const id of documentIds ?? [])
      if (!entries.some((entry) => entry.id === id)) await store.documents.get(projectId, id);
    const chapters = await chaptersOf(store, projectId, entries);
    const { signal, onProgress } = context;
    const { estimate, rows, runs, receipts } = await summariseBook(
      chapters,
      new Set(documentIds ?? chapters.map(({ id }) => id)),
      {
        ...{
          model,
          summaries,
          signal,
          concurrency,
          again,
          byHand,
          dryRun,
          catalog,
        },
        timeouts: { totalMs: timeoutMs, firstByteMs: Math.min(timeoutMs, firstByteTimeoutMs) },
        keep: ({ about, ...summary }) => home.put({ kind: 'summary', about, text: writeSummary(summary) }),
        onSent: (sent) =>
          keepReceipt(
            { projectId, operation: 'book:summarise', receipt: sent, summary: { model: named.id } },
            context,
          ),
        onEstimate: (priced: SummaryEstimate) => context.onSpending?.(priced),
        onProgress: (done, total) => onProgress?.({ stage: 'summaries', done, total }),
      },
    );
    const failed = rows.filter(({ outcome }) => outcome === 'failed' || outcome === 'not-asked');
    return {
      estimate,
      summaries: rows.map(({ about, ...row }) => ({ documentId: about, ...row })),
      complete: dryRun || failed.length === 0,
      ...{ runs: [...runs], receipts: [...receipts], warnings: [...said] },
    };
  },
});
