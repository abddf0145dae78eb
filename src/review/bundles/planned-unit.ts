// A unit with its place in the plan, and the snippets each level would show.
import type { ContextLevel } from '../plan/context-level.js';
import type { PlanRow } from '../plan/fuse-plan.js';
import type { JudgedUnit } from '../plan/planner-index.js';
import { risks } from '../rules/rule.js';
import { levelRanges } from './level-ranges.js';
import { type Snippet, snippetOf } from './snippet.js';

export interface PlannedUnit extends JudgedUnit {
  readonly row: PlanRow;
  /** Place in the plan, from zero. */
  readonly position: number;
}

const whys: Readonly<Record<ContextLevel, string>> = {
  diff_only: '',
  function: 'the code around the change',
  file_context: 'imports, enclosing declarations and the lines around the change',
  full_file: 'the file of the change',
};

export function plannedUnits(judged: readonly JudgedUnit[], plan: readonly PlanRow[]): PlannedUnit[] {
  return judged.map((one, position) => ({ ...one, row: plan[position]!, position }));
}

export function levelSnippets({ unit }: PlannedUnit, level: ContextLevel): Snippet[] {
  const found = levelRanges(unit, level);
  if (found === undefined) return [];
  const place = { side: found.side, file: found.file, why: whys[level] };
  return found.ranges.map((range) => snippetOf(place, range));
}

export function riskRank({ verdict }: PlannedUnit): number {
  return risks.indexOf(verdict.risk);
}
