// How much somebody wants to see around a file or a unit, in place of what rules and planner say. Everything else of the plan stays.
import * as z from 'zod';
import { textField } from '../../core/model/input.js';
import { type ContextLevel, contextLevels } from './context-need.js';
import type { ReviewPlan } from './plan-review.js';

const most = 200;

export const levelsField = z
  .record(textField(5000), z.enum(contextLevels))
  .refine((levels) => Object.keys(levels).length <= most, { error: `must not name more than ${most}` })
  .default({})
  .describe('how much is shown around a file (by its path) or a unit (by its id), whatever the plan says');

export type AskedLevels = Readonly<Record<string, ContextLevel>>;

export function withAskedLevels(planned: ReviewPlan, levels: AskedLevels): ReviewPlan {
  const plan = planned.plan.map((row, at) => {
    const { id, path } = planned.judged[at]!.unit;
    const level = own(levels, id) ?? own(levels, path);
    if (level === undefined) return row;
    return {
      ...{ ...row, final_context_level: level, reason: 'asked_for', decided_by: 'request' as const },
      // Who wants the diff alone wants nothing that was searched for it.
      extra_requests: level === 'diff_only' ? [] : row.extra_requests,
    };
  });
  return { ...planned, plan };
}

const own = (levels: AskedLevels, name: string) => (Object.hasOwn(levels, name) ? levels[name] : undefined);
