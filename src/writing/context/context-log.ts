// What is written down about an assembly: digests and counts, never text.
import type { Receipt } from '../../core/model/receipt.js';
import { hashText } from '../../meters/content-hash.js';

export interface ContextLogLine {
  readonly level: 'info' | 'warning' | 'security';
  readonly event: string;
  readonly details?: Readonly<Record<string, string | number | boolean>>;
}

export type ContextLog = (line: ContextLogLine) => void;

export const digestOf = (text: string): string => hashText(text).slice(0, 16);

export function logAssembly(log: ContextLog, project: string, receipt: Receipt): void {
  const scope = { project: digestOf(project), receipt: receipt.id };
  const overLine = receipt.warnings.find(({ code }) => code === 'CONTEXT_RULES_OVERBUDGET');
  if (overLine !== undefined) {
    log({
      level: 'warning',
      event: overLine.code,
      details: { ...scope, ...numbersOf(overLine.details ?? {}) },
    });
    for (const { fragment, verdict, amount } of receipt.ledger) {
      if (verdict !== 'over-own-line') continue;
      const details = { ...scope, fragment: digestOf(fragment), tokens: amount ?? 0 };
      log({ level: 'warning', event: 'CONTEXT_RULE_LEFT_OUT', details });
    }
  }
  const codes = [...new Set(receipt.warnings.map(({ code }) => code))].join(' ');
  log({
    level: 'info',
    event: 'context.assembled',
    details: { ...scope, tokens: receipt.used.n, budget: receipt.budget.n, warnings: codes },
  });
}

export function logScopeViolation(log: ContextLog, project: string, fragments: number): void {
  log({
    level: 'security',
    event: 'CONTEXT_SCOPE_VIOLATION',
    details: { project: digestOf(project), fragments },
  });
}

function numbersOf(details: Readonly<Record<string, unknown>>): Record<string, number> {
  return Object.fromEntries(
    Object.entries(details).filter((entry): entry is [string, number] => typeof entry[1] === 'number'),
  );
}
