// Warnings as the words a caller reads: the bare code where it says enough, else the code and a sentence.
import type { Receipt } from '../../core/model/receipt.js';
import type { Warning } from '../../core/model/warning.js';
import type { LayerId } from './budget-profile.js';

const layerNames: Readonly<Record<LayerId, string>> = {
  rules: '规则层',
  settings: '设定层',
  retrieved: '检索层',
  immediate: '即时层',
};

export const budgetFallback: Warning = {
  code: 'CONTEXT_BUDGET_FALLBACK',
  message:
    'Tokens or the budget could not be worked out; the default budget and an estimate on the safe side are used.',
};

export function warningWords(warnings: readonly Warning[]): string[] {
  const words = warnings.map(({ code, message }) => {
    if (code.startsWith('CONTEXT_')) return code;
    return message.startsWith(`${code}: `) ? message : `${code}: ${message}`;
  });
  return [...new Set(words)];
}

export function overLineWarning(receipt: Receipt, share: number): Warning | undefined {
  const removed = receipt.ledger.filter(({ verdict }) => verdict === 'over-own-line').length;
  const tokens = receipt.layers.find(({ id }) => id === 'rules')?.amount ?? 0;
  const line = Math.floor(receipt.budget.n * share);
  if (removed === 0 && tokens <= line) return undefined;
  return {
    code: 'CONTEXT_RULES_OVERBUDGET',
    message: `Rules stand above their line of ${line} tokens; ${removed} items of the lowest relevance were left out.`,
    details: { line, tokens, removed },
  };
}

/** A layer that gave way to the total says so. */
export function trimWarnings(receipt: Receipt): Warning[] {
  const counts = new Map<string, number>();
  for (const { layer, verdict } of receipt.ledger) {
    if (verdict === 'conceded') counts.set(layer, (counts.get(layer) ?? 0) + 1);
  }
  return [...counts].map(([layer, left]) => ({
    code: 'LAYER_TRIMMED',
    message: `LAYER_TRIMMED: ${layerNames[layer as LayerId] ?? layer}裁剪 ${left} 项`,
    details: { layer, left },
  }));
}
