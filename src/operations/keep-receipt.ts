// Keeps the receipt of a call for those who look later. A store that does not take it never costs the answer.
import { toGalleyError } from '../core/model/error.js';
import type { Receipt } from '../core/model/receipt.js';
import { keptReceipt } from '../store/kept-receipt.js';
import type { OperationContext } from './operation.js';

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
