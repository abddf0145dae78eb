// A prompt that stays like the one before is set from fewer fragments than were gathered. Those held back are left out like
// any other: the receipt has their lines too.
import type { LedgerLine, Receipt } from '../../core/model/receipt.js';
import { isKept } from './kept-fragments.js';

const heldBack = 'left out, so that the prompt stays like the one before';

/** `whole` is the receipt of everything that was gathered, `set` that of the prompt. */
export function withWithheldLines(set: Receipt, whole: Receipt): Receipt {
  const known = new Set(set.ledger.map(({ fragment }) => fragment));
  const lines = whole.ledger.filter(({ fragment }) => !known.has(fragment)).map(lineOf);
  if (lines.length === 0) return set;
  const { made, offered } = set.concessions;
  const conceded = lines.filter(({ verdict }) => verdict === 'conceded').length;
  return {
    ...set,
    concessions: { made: made + conceded, offered: offered + conceded },
    layers: set.layers.map((layer) => ({
      ...layer,
      left: layer.left + lines.filter((line) => line.layer === layer.id).length,
    })),
    ledger: [...set.ledger, ...lines],
  };
}

function lineOf(line: LedgerLine): LedgerLine {
  if (!isKept(line)) return line;
  const { level: _, ...rest } = line;
  return { ...rest, verdict: 'conceded', reason: heldBack };
}
