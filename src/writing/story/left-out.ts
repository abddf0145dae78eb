// What was found and must not be told yet: the receipt has a line for each, with the reason.
import type { LedgerLine, Receipt } from '../../core/model/receipt.js';
import type { Rejection } from '../../core/model/verdict.js';

export const leftOutReasons = {
  later: 'it comes later in the story',
  secret: 'it tells what is still a secret here',
} as const;

const reasons: ReadonlySet<string> = new Set(Object.values(leftOutReasons));

/** Turned away because of the story, not because of the budget. */
export function isUntold({ reason }: Pick<LedgerLine, 'reason'>): boolean {
  return reasons.has(reason);
}

export function untold(
  {
    id,
    source,
    layer = 'retrieved',
  }: { readonly id: string; readonly source: string; readonly layer?: string },
  why: keyof typeof leftOutReasons,
): Rejection {
  return { id, source, layer, verdict: 'over-limit', reason: leftOutReasons[why] };
}

export function withUntoldLines(receipt: Receipt, rejections: readonly Rejection[]): Receipt {
  const known = new Set(receipt.ledger.map(({ fragment }) => fragment));
  const lines = rejections
    .filter(({ id }) => !known.has(id))
    .map(({ id, ...rest }): LedgerLine => ({ fragment: id, ...rest }));
  if (lines.length === 0) return receipt;
  return {
    ...receipt,
    layers: receipt.layers.map((layer) => ({
      ...layer,
      left: layer.left + lines.filter((line) => line.layer === layer.id).length,
    })),
    ledger: [...receipt.ledger, ...lines],
  };
}
