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
  const groups: { same: Shared; each: [string, number?][] }[] = [];
  let last: LedgerLine | undefined;
  for (const line of receipt.ledger) {
    const { fragment, amount } = line;
    const entry: [string, number?] = amount === undefined ? [fragment] : [fragment, amount];
    if (last === undefined || !sharesWith(line, last)) groups.push({ same: sharedOf(line), each: [entry] });
    else groups.at(-1)?.each.push(entry);
    last = line;
  }
  return { ...withoutSpans(receipt), ledger: { groups } };
}

function sharedOf({ fragment: _, amount: __, ...same }: LedgerLine): Shared {
  return same;
}

/** Whether all is said of two lines but whose they are and what they cost. */
function sharesWith(line: LedgerLine, other: LedgerLine): boolean {
  for (const name of plainNames) if (line[name] !== other[name]) return false;
  return line.finished === other.finished || JSON.stringify(line.finished) === JSON.stringify(other.finished);
}

/** A table, so that none is forgotten. */
const plain: Readonly<Record<Exclude<keyof Shared, 'finished'>, true>> = {
  source: true,
  layer: true,
  section: true,
  verdict: true,
  reason: true,
  level: true,
  page: true,
  ref: true,
};
const plainNames = Object.keys(plain) as (keyof typeof plain)[];

/** What was kept otherwise stays as it is. */
export function readReceipt(value: unknown): unknown {
  const groups = (value as { ledger?: { groups?: unknown } } | null)?.ledger?.groups;
  if (!Array.isArray(groups)) return value;
  const ledger = (groups as readonly LineGroup[]).flatMap(({ same, each }) =>
    each.map(([fragment, amount]) => ({ fragment, ...same, ...(amount === undefined ? {} : { amount }) })),
  );
  return { ...(value as object), ledger };
}
