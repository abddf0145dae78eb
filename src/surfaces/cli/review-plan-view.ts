// The plan of a review for people: every unit with its reasons, on request.
import { GalleyError } from '../../core/model/error.js';
import { contextLevels, levelRank } from '../../review/plan/context-need.js';
import type { PlanAnswer } from '../../review/plan/plan-review.js';
import { meantEnding } from './meant-ending.js';
import { factWords, word } from './words/word.js';

/** A name that is neither a path nor a unit of the change is a slip, not a question without an answer. */
export function refuseUnknownUnit({ planner_index, omitted }: PlanAnswer, only: string): void {
  const { units } = planner_index;
  const known = [
    ...new Set([...units.map(({ file_path }) => file_path), ...omitted.map(({ path }) => path)]),
    ...units.map(({ unit_id }) => unit_id),
  ];
  if (known.includes(only)) return;
  throw new GalleyError(
    'INVALID_ARGUMENT',
    `--explain: the change has no path or unit of that name${meantEnding(only, known)}`,
    { details: { field: 'explain' } },
  );
}

/** Units of one path or one unit id, or all of them; `level` leaves out those that need less. */
export function explainPlan(
  { planner_index, plan, omitted }: PlanAnswer,
  { only, level }: { only?: string | undefined; level?: string | undefined },
): string {
  const rows = new Map(plan.map((row) => [row.unit_id, row]));
  const least = (contextLevels as readonly string[]).indexOf(level ?? '');
  const lines: string[] = [];
  for (const unit of planner_index.units) {
    const row = rows.get(unit.unit_id);
    if (row === undefined || levelRank(row.final_context_level) < least) continue;
    if (only !== undefined && unit.file_path !== only && unit.unit_id !== only) continue;
    const { new_compact, old_compact } = unit.line_numbers;
    lines.push(
      `${unit.unit_id}  ${unit.file_path}:${new_compact ?? old_compact ?? ''}  ${unit.patch_type} +${unit.metrics.added_lines} -${unit.metrics.removed_lines}`,
      `  ${word('review.decided', {
        level: row.final_context_level,
        by: factWords(`decided.${row.decided_by}`, row.decided_by),
        confidence: row.rule_confidence,
        // How sure the rule is stands beside it.
        reason: factWords(`planned.${row.reason.replace(/^[a-z]+_confidence_/, '')}`, row.reason),
      })}`,
      `  ${word('review.tags', { list: unit.tags.join(', ') || word('review.no-tags') })}`,
      ...row.extra_requests.map((request) => `  ${word('review.asks', { what: requestWords(request) })}`),
    );
  }
  for (const { path, rule, reason } of omitted)
    if (path === only)
      lines.push(word('review.left', { path, reason: factWords(`omission.${rule}`, reason) }));
  if (lines.length === 0) return `${word('review.no-unit')}\n`;
  return `${lines.join('\n')}\n`;
}

function requestWords(request: object): string {
  return Object.values(request).map(String).join(' ');
}
