// What was sent before: list, get, and what changed between two.
import * as z from 'zod';
import { toGalleyError } from '../core/model/error.js';
import type { Receipt } from '../core/model/receipt.js';
import { verifyReceipt } from '../core/seal/seal.js';
import { hashText } from '../meters/content-hash.js';
import { keptReceipt, readReceipt } from '../store/kept-receipt.js';
import type { ReceiptEntry, StoredReceipt } from '../store/receipts.js';
import { diffReceipts, type ReceiptDiff } from '../writing/context/diff-receipts.js';
import { defineOperation, type OperationContext, storeErrors } from './operation.js';
import { answer, named, timestamp } from './published-schema.js';
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

export interface ReceiptList {
  readonly receipts: readonly ReceiptEntry[];
}

export const receiptList = answer<ReceiptList>()(z.strictObject({ receipts: z.array(entry) }));

export interface ShownReceipt extends StoredReceipt {
  readonly seal: ReturnType<typeof verifyReceipt>;
}

export const storedReceipt = answer<ShownReceipt>()(
  entry.extend({
    value: z.unknown().describe('the receipt as its operation gave it, without spans'),
    seal: z
      .enum(['sealed', 'altered', 'unverified'])
      .describe('sealed: its id is the hash of its body; unverified: of a version that cannot be checked'),
  }),
);

const numbers = z.strictObject({ from: z.number(), to: z.number() });
const fragmentNote = z.strictObject({ fragment: z.string(), layer: z.string(), verdict: z.string() });

export interface ReceiptComparison extends ReceiptDiff {
  readonly from: string;
  readonly to: string;
}

export const receiptComparison = answer<ReceiptComparison>()(
  z.strictObject({
    from: z.string().describe('id of the earlier receipt'),
    to: z.string().describe('id of the later receipt'),
    same: z.boolean(),
    budget: numbers,
    used: numbers,
    layers: z.array(numbers.extend({ id: z.string() })),
    added: z.array(fragmentNote),
    removed: z.array(fragmentNote),
    changed: z.array(
      z.strictObject({ fragment: z.string(), layer: z.string(), from: z.string(), to: z.string() }),
    ),
    warnings: z
      .strictObject({ added: z.array(z.string()), removed: z.array(z.string()) })
      .describe('codes of warnings'),
    stablePrefix: z.strictObject({ same: z.boolean() }),
  }),
);

export const receiptsList = defineOperation({
  id: 'receipts:list',
  summary: 'Lists the latest receipts of a project, newest first.',
  input: projectRequest.extend({
    limit: z.int().min(1).max(200).default(50),
    operation: nameField.optional(),
  }),
  output: receiptList,
  grant: 'read',
  errors: storeErrors,
  run: async ({ projectId, limit, operation }, context) => ({
    receipts: await (await context.store()).receipts.list(projectId, {
      limit,
      ...(operation === undefined ? {} : { operation }),
    }),
  }),
});

export const receiptsGet = defineOperation({
  id: 'receipts:get',
  summary: 'Gives one receipt, and whether it still is what was sealed.',
  input: itemRequest,
  output: storedReceipt,
  grant: 'read',
  errors: [...storeErrors, 'NOT_FOUND'],
  run: async ({ projectId, id }, context) => {
    const stored = await (await context.store()).receipts.get(projectId, id);
    const value = readReceipt(stored.value);
    return { ...stored, value, seal: verifyReceipt(value, hashText) };
  },
});

export const receiptsDiff = defineOperation({
  id: 'receipts:diff',
  summary: 'Says what changed between two receipts: fragments, layers, prefix, budget.',
  input: z.strictObject({ projectId: nameField, from: nameField, to: nameField }),
  output: receiptComparison,
  grant: 'read',
  errors: [...storeErrors, 'NOT_FOUND'],
  run: async ({ projectId, from, to }, context) => {
    const { receipts } = await context.store();
    const before = await receipts.get(projectId, from);
    const after = await receipts.get(projectId, to);
    return { from, to, ...diffReceipts(readReceipt(before.value), readReceipt(after.value)) };
  },
});

// Keeps the receipt of a call for those who look later. A store that does not take it never costs the answer.
export interface ReceiptToKeep {
  readonly projectId: string;
  readonly operation: string;
  readonly receipt: Receipt;
  /** Shown in lists, beside what was used of the budget. */
  readonly summary: Readonly<Record<string, unknown>>;
}

export async function keepReceipt(
  { projectId, operation, receipt, summary }: ReceiptToKeep,
  { store, log }: Pick<OperationContext, 'store' | 'log'>,
): Promise<void> {
  const { used, budget } = receipt;
  const draft = {
    operation,
    summary: { ...summary, unit: used.unit, used: used.n, budget: budget.n },
    value: keptReceipt(receipt),
  };
  try {
    const { receipts } = await store();
    // The same prompt sent twice is listed twice.
    await receipts.put(projectId, { ...draft, id: receipt.id }).catch(() => receipts.put(projectId, draft));
  } catch (error) {
    log({ level: 'warning', event: 'receipt-not-kept', details: { code: toGalleyError(error).code } });
  }
}
