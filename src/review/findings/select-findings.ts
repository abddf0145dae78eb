// Which findings are worth a reader's time? Those above the threshold, the worst first, up to a cap; the others are held back
// with the reason, never lost.

import type { Finding } from './finding.js';
import { compareFindings } from './finding-order.js';
import { isAtLeast, type Severity } from './severity.js';

export interface Selection {
  readonly minSeverity?: Severity | undefined;
  readonly minConfidence?: number | undefined;
  readonly most?: number | undefined;
}

export type HoldReason = 'below-threshold' | 'over-cap';

export interface SelectedFindings<T> {
  readonly kept: readonly T[];
  readonly held: readonly { readonly item: T; readonly reason: HoldReason }[];
}

export function selectFindings<T extends { readonly finding: Finding }>(
  items: readonly T[],
  { minSeverity = 'info', minConfidence = 0, most = Number.POSITIVE_INFINITY }: Selection = {},
): SelectedFindings<T> {
  const kept: T[] = [];
  const held: { item: T; reason: HoldReason }[] = [];
  for (const item of [...items].sort((left, right) => compareFindings(left.finding, right.finding))) {
    const { severity, confidence } = item.finding;
    const worth = isAtLeast(severity, minSeverity) && confidence >= minConfidence;
    if (worth && kept.length < most) kept.push(item);
    else held.push({ item, reason: worth ? 'over-cap' : 'below-threshold' });
  }
  return { kept, held };
}
