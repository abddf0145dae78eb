import * as z from 'zod';
import type { verifyReceipt } from '../../core/seal/seal.js';
import type { ReceiptEntry, StoredReceipt } from '../../store/tables/receipts.js';
import type { ReceiptDiff } from '../../writing/context/diff-receipts.js';
import { answer } from './answer.js';
import { noun } from './noun.js';
import { milliseconds } from './numbers.js';

const entry = noun(
  'ReceiptEntry',
  z.strictObject({
    id: z.string(),
    project: z.string(),
    operation: z.string(),
    createdAt: milliseconds,
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
