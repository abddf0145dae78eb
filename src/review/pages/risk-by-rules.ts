// How much it would cost a reviewer not to see a file: the highest risk any rule sees in it, then the class of its path.
import type { PlannedRoom } from '../plan/review-plan.js';
import { risks } from '../rules/rule.js';
import { riskByPath } from './path-class.js';

/** Above this many files the syntax trees would cost more than the choice is worth. */
const mostFiles = 2000;
const aboveAnyClass = 100;

export async function riskByRules(
  files: number,
  plan: () => Promise<Pick<PlannedRoom, 'judged'>>,
): Promise<(path: string) => number> {
  if (files > mostFiles) return riskByPath;
  const { judged } = await plan();
  const highest = new Map<string, number>();
  for (const { unit, verdict } of judged) {
    const known = highest.get(unit.path) ?? 0;
    highest.set(unit.path, Math.max(known, risks.indexOf(verdict.risk)));
  }
  return (path) => (highest.get(path) ?? 0) * aboveAnyClass + riskByPath(path);
}
