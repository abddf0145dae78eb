// What was sent before: list, get, and what changed between two.
import * as z from 'zod';
import { verifyReceipt } from '../core/seal/seal.js';
import { hashText } from '../meters/content-hash.js';
import { readReceipt } from '../store/kept-receipt.js';
import { diffReceipts } from '../writing/context/diff-receipts.js';
import { receiptComparison, receiptList, storedReceipt } from './answers/stored-receipt.js';
import { defineOperation } from './operation.js';
import { storeErrors } from './store-errors.js';
import { itemRequest, nameField, projectRequest } from './writing-fields.js';

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
