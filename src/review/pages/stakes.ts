// How much it matters that a changed line is seen, when not all of them can be: what its path is for, and the risk the rules see
// in the unit it belongs to. Ordinary source counts one.
import type { LineRange } from '../../code/range-evidence.js';
import type { Hunk } from '../../git/patch/patch.js';
import type { JudgedUnit } from '../plan/planner-index.js';
import type { PlannedRoom } from '../plan/review-plan.js';
import { type Risk, risks } from '../rules/rule.js';
import { type PathClass, pathClass } from './path-class.js';

export type HunkPlace = Pick<Hunk, 'oldStart' | 'oldCount' | 'newStart' | 'newCount'>;

export type Stakes = (path: string, hunk: HunkPlace) => number;

const classStakes: Readonly<Record<PathClass, number>> = {
  security: 2,
  routing: 1.5,
  config: 1,
  source: 1,
  test: 0.8,
  other: 0.6,
  docs: 0.6,
};
const riskStakes: Readonly<Record<Risk, number>> = { low: 0.75, medium: 1, high: 2 };

/** Above this many files the syntax trees would cost more than the choice is worth. */
const mostFiles = 2000;

export const stakesByPath: Stakes = (path) => classStakes[pathClass(path)];

export async function stakesByRules(
  files: number,
  plan: () => Promise<Pick<PlannedRoom, 'judged'>>,
): Promise<Stakes> {
  if (files > mostFiles) return stakesByPath;
  const units = new Map<string, JudgedUnit[]>();
  for (const one of (await plan()).judged) {
    const known = units.get(one.unit.path);
    if (known === undefined) units.set(one.unit.path, [one]);
    else known.push(one);
  }
  return (path, hunk) => {
    const touched = (units.get(path) ?? []).filter(
      ({ unit }) =>
        meets(unit.added, hunk.newStart, hunk.newCount) || meets(unit.removed, hunk.oldStart, hunk.oldCount),
    );
    const highest = Math.max(-1, ...touched.map(({ verdict }) => risks.indexOf(verdict.risk)));
    const ofPath = stakesByPath(path, hunk);
    const ofRisk = riskStakes[risks[highest] ?? 'medium'];
    // That tests and documents risk little is said by their path already.
    return ofPath < 1 ? ofPath * Math.max(1, ofRisk) : ofPath * ofRisk;
  };
}

function meets(ranges: readonly LineRange[], start: number, count: number): boolean {
  return ranges.some(({ startLine, endLine }) => startLine < start + count && endLine >= start);
}
