// The form in which a receipt is kept: without spans, for the texts they point into are gone, and with what neighbouring lines of
// its ledger share said once. Read again it has the id it had, line for line.
import type { LedgerLine, Receipt } from '../core/model/receipt.js';
import { withoutSpans } from '../core/seal/seal.js';

type Shared = Omit<LedgerLine, 'fragment' | 'amount'>;

interface LineGroup {
  readonly same: Shared;
  /** Fragment and amount of each line. */
  readonly each: readonly (readonly [fragment: string, amount?: number])[];
}

export function keptReceipt(receipt: Receipt): unknown {
  const groups: { same: Shared; key: string; each: [string, number?][] }[] = [];
  for (const { fragment, amount, ...same } of receipt.ledger) {
    const key = JSON.stringify(same);
    const entry: [string, number?] = amount === undefined ? [fragment] : [fragment, amount];
    const last = groups.at(-1);
    if (last?.key === key) last.each.push(entry);
    else groups.push({ same, key, each: [entry] });
  }
  const ledger = { groups: groups.map(({ same, each }): LineGroup => ({ same, each })) };
  return { ...withoutSpans(receipt), ledger };
}

/** What was kept otherwise stays as it is. */
export function readReceipt(value: unknown): unknown {
  const groups = (value as { ledger?: { groups?: unknown } } | null)?.ledger?.groups;
  if (!Array.isArray(groups)) return value;
  const ledger = (groups as readonly LineGroup[]).flatMap(({ same, each }) =>
    each.map(([fragment, amount]) => ({ fragment, ...same, ...(amount === undefined ? {} : { amount }) })),
  );
  return { ...(value as object), ledger };
}
