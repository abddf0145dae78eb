// What was found and must not be told yet: the receipt has a line for each, with the reason.
import type { LedgerLine, Rejection } from '../../core/model/receipt.js';

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
