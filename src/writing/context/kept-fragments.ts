// Which fragments stand in the prompt.
import type { Receipt } from '../../core/model/receipt.js';

const present: ReadonlySet<string> = new Set(['kept', 'stepped-down', 'cut', 'refilled']);

export function isKept({ verdict }: { readonly verdict: string }): boolean {
  return present.has(verdict);
}

/** Shown with all their words. */
export function wholeIds(receipt: Receipt): ReadonlySet<string> {
  return new Set(
    receipt.ledger
      .filter((line) => isKept(line) && line.verdict !== 'stepped-down' && line.verdict !== 'cut')
      .map(({ fragment }) => fragment),
  );
}

export function keptIds(receipt: Receipt): ReadonlySet<string> {
  return new Set(receipt.ledger.filter(isKept).map(({ fragment }) => fragment));
}
