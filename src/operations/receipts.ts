// What was sent before: list, get, what changed between two, and how a call's receipt is kept.
import * as z from 'zod';
import { toGalleyError } from '../core/model/error.js';
import type { Receipt } from '../core/model/receipt.js';
import { verifyReceipt } from '../core/seal/seal.js';
import { hashText } from '../meters/content-hash.js';
import type { KeepReceipt } from '../review/run/kept-answers.js';
import { keptReceipt, readReceipt } from '../store/kept-receipt.js';
import type { ReceiptEntry, StoredReceipt } from '../store/tables/receipts.js';
import { diffReceipts, type ReceiptDiff } from '../writing/context/diff-receipts.js';
import { defineOperation, type OperationContext, storeErrors } from './operation.js';
import { inParts, partFields } from './parts.js';
import { answer, inferred, named, timestamp } from './published-schema.js';
import { itemRequest, nameField, projectRequest } from './request-fields.js';

const entry = named(
  'ReceiptEntry',
  z.strictObject({
    id: z.string(),
    project: z.string(),
    operation: z.string(),
    createdAt: timestamp,
    summary: z.record(z.string(), z.unknown()),
  }),
);

const numbers = z.strictObject({
  from: z.number().describe('in the earlier one'),
  to: z.number().describe('in the later one'),
});
const fragmentNote = z.strictObject({ fragment: z.string(), layer: z.string(), verdict: z.string() });

export const receiptsList = defineOperation({
  id: 'receipts:list',
  summary: 'Lists the latest receipts of a project, newest first.',
  input: projectRequest.extend({
    limit: z.int().min(1).max(200).default(50),
    operation: nameField.optional(),
    ...partFields,
  }),
  inParts: true,
  example: { projectId: 'novel' },
  output: inParts(inferred(z.strictObject({ receipts: z.array(answer<ReceiptEntry>()(entry)) }))),
  grant: 'read',
  errors: storeErrors,
  run: async ({ projectId, limit, operation }, context) => {
    const wish = { limit, ...(operation === undefined ? {} : { operation }) };
    const stored = await (await context.store()).receipts.list(projectId, wish);
    const reviews = (await (await context.sentHere?.())?.list(wish)) ?? [];
    if (reviews.length === 0) return { receipts: stored };
    const sent = reviews.map(({ value: _, ...review }) => ({ project: projectId, ...review }));
    const newest = [...stored, ...sent].sort((left, right) => right.createdAt - left.createdAt);
    return { receipts: newest.slice(0, limit) };
  },
});

export const receiptsGet = defineOperation({
  id: 'receipts:get',
  summary: 'Gives one receipt, and whether it still is what was sealed.',
  input: itemRequest,
  example: { projectId: 'novel', id: 'an id of receipts:list' },
  output: inferred(
    entry.extend({
      value: z.unknown().describe('the receipt as its operation gave it, without spans'),
      seal: z
        .enum(['sealed', 'altered', 'unverified'])
        .describe('sealed: its id is the hash of its body; unverified: of a version that cannot be checked'),
    }),
  ),
  grant: 'read',
  errors: [...storeErrors, 'NOT_FOUND'],
  run: async ({ projectId, id }, context) => {
    const stored = await receiptOf(projectId, id, context);
    const value = readReceipt(stored.value);
    return { ...stored, value, seal: verifyReceipt(value, hashText) };
  },
});

export const receiptsDiff = defineOperation({
  id: 'receipts:diff',
  summary: 'Says what changed between two receipts: fragments, layers, prefix, budget.',
  input: z.strictObject({
    projectId: nameField,
    from: nameField.describe('id of the earlier receipt'),
    to: nameField.describe('id of the later receipt'),
  }),
  example: { projectId: 'novel', from: 'an id of receipts:list', to: 'another one' },
  output: answer<ReceiptDiff & { readonly from: string; readonly to: string }>()(
    z.strictObject({
      from: z.string().describe('id of the earlier receipt'),
      to: z.string().describe('id of the later receipt'),
      same: z.boolean(),
      budget: numbers,
      used: numbers,
      layers: z
        .array(numbers.extend({ id: z.string().describe('name of the layer') }))
        .describe('what each cost'),
      added: z.array(fragmentNote).describe('only in the later one'),
      removed: z.array(fragmentNote).describe('only in the earlier one'),
      changed: z.array(
        z.strictObject({
          fragment: z.string(),
          layer: z.string(),
          from: z.string().describe('earlier verdict'),
          to: z.string().describe('later verdict'),
        }),
      ),
      warnings: z
        .strictObject({
          added: z.array(z.string()).describe('only in the later one'),
          removed: z.array(z.string()).describe('only in the earlier one'),
        })
        .describe('codes of warnings'),
      stablePrefix: z.strictObject({ same: z.boolean() }),
    }),
  ),
  grant: 'read',
  errors: [...storeErrors, 'NOT_FOUND'],
  run: async ({ projectId, from, to }, context) => {
    const before = await receiptOf(projectId, from, context);
    const after = await receiptOf(projectId, to, context);
    return { from, to, ...diffReceipts(readReceipt(before.value), readReceipt(after.value)) };
  },
});

async function receiptOf(
  project: string,
  id: string,
  { store, sentHere }: Pick<OperationContext, 'store' | 'sentHere'>,
): Promise<StoredReceipt> {
  const review = await (await sentHere?.())?.get(id);
  return review === undefined ? (await store()).receipts.get(project, id) : { project, ...review };
}

interface ReceiptToKeep {
  readonly projectId: string;
  readonly operation: string;
  readonly receipt: Receipt;
  /** Shown in lists, beside what was used of the budget. */
  readonly summary: Readonly<Record<string, unknown>>;
  /** What is known already is not listed twice: a job that is run again sends nothing anew. */
  readonly isOnce?: boolean;
}

/** For those who look later. A store that does not take it never costs the answer. */
export async function keepReceipt(
  { projectId, operation, receipt, summary, isOnce = false }: ReceiptToKeep,
  { store, log }: Pick<OperationContext, 'store' | 'log'>,
): Promise<void> {
  const draft = { operation, summary: summaryOf(receipt, summary), value: keptReceipt(receipt) };
  try {
    const { receipts } = await store();
    // The same prompt sent twice is listed twice.
    await receipts.put(projectId, { ...draft, id: receipt.id }).catch((error: unknown) => {
      if (isOnce && toGalleyError(error).code === 'ALREADY_EXISTS') return;
      return receipts.put(projectId, draft);
    });
  } catch (error) {
    log({ level: 'warning', event: 'receipt-not-kept', details: { code: toGalleyError(error).code } });
  }
}

function summaryOf({ used, budget }: Receipt, summary: ReceiptToKeep['summary']): ReceiptToKeep['summary'] {
  return { ...summary, unit: used.unit, used: used.n, budget: budget.n };
}

/** What reviews send: kept in the project that is looked at, and where there is none beside the answers of the repository. */
export function receiptKeeper(operation: string, context: OperationContext): KeepReceipt {
  return async (receipt, { model, folder }) => {
    const { log, now } = context;
    const projectId = await context.history?.();
    if (projectId !== undefined)
      return keepReceipt({ projectId, operation, receipt, summary: { model }, isOnce: true }, context);
    const { keptReceipts } = await import('../review/run/kept-receipts.js');
    const sent = { operation, createdAt: now(), summary: summaryOf(receipt, { model }) };
    if (await keptReceipts(folder).put(receipt, sent)) return;
    log({ level: 'warning', event: 'receipt-not-kept', details: { code: 'FILE_UNREADABLE' } });
  };
}
