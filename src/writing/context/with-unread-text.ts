// A chapter longer than what is read around the cursor: the receipt says that the rest of it was not offered.
import type { LedgerLine, Receipt } from '../../core/model/receipt.js';
import type { Scene } from '../layers/scene.js';

const tooFar = 'farther from the cursor than is read';

export function withUnreadText(receipt: Receipt, { indexed, window }: Scene): Receipt {
  const lines = [
    ...(window.from > 0 ? [lineOf('text:before:0')] : []),
    ...(window.to < indexed.text.length ? [lineOf(`text:after:${window.to}`)] : []),
  ];
  if (lines.length === 0) return receipt;
  return {
    ...receipt,
    layers: receipt.layers.map((layer) =>
      layer.id === 'immediate' ? { ...layer, left: layer.left + lines.length } : layer,
    ),
    ledger: [...receipt.ledger, ...lines],
  };
}

function lineOf(fragment: string): LedgerLine {
  return {
    fragment,
    source: 'document',
    layer: 'immediate',
    section: 'text',
    verdict: 'over-limit',
    reason: tooFar,
  };
}
