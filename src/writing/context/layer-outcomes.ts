// Tokens and truncation for each layer; the tokens of all layers sum to those of the prompt.
import type { Receipt } from '../../core/model/receipt.js';
import { isUntold } from '../story/left-out.js';
import type { LayerId } from './budget-profile.js';
import type { ContextAssembleResult } from './context-result.js';

const layerIds = ['rules', 'settings', 'retrieved', 'immediate'] as const satisfies readonly LayerId[];
const cutShort: ReadonlySet<string> = new Set(['conceded', 'over-own-line', 'over-limit', 'cut', 'withheld']);
const present: ReadonlySet<string> = new Set(['kept', 'stepped-down', 'cut', 'refilled']);

/** Whether a line of the ledger stands in the prompt. */
export function isPresent({ verdict }: { readonly verdict: string }): boolean {
  return present.has(verdict);
}

export function layerOutcomes(receipt: Receipt): ContextAssembleResult['layers'] {
  const amounts = new Map(receipt.layers.map(({ id, amount }) => [id, amount]));
  // Other people are Rules, too: they only give way on their own.
  amounts.set('rules', (amounts.get('rules') ?? 0) + (amounts.get('people') ?? 0));
  // Each layer is rounded up for itself; the largest one bears the difference.
  const sum = layerIds.reduce((total, id) => total + (amounts.get(id) ?? 0), 0);
  const largest =
    [...layerIds].sort((a, b) => (amounts.get(b) ?? 0) - (amounts.get(a) ?? 0))[0] ?? 'immediate';
  amounts.set(largest, (amounts.get(largest) ?? 0) - (sum - receipt.used.n));
  const outcome = (id: LayerId) => ({
    tokens: amounts.get(id) ?? 0,
    truncated: receipt.ledger.some(
      (line) =>
        (line.layer === 'people' ? 'rules' : line.layer) === id &&
        cutShort.has(line.verdict) &&
        !isUntold(line),
    ),
  });
  const chunks = receipt.ledger.filter((line) => line.layer === 'retrieved' && isPresent(line)).length;
  return {
    rules: outcome('rules'),
    settings: outcome('settings'),
    retrieved: { ...outcome('retrieved'), chunks },
    immediate: outcome('immediate'),
  };
}
