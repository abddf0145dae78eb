// The answer of review:plan: the index a planner reads and the plan that follows from rules and model.
import type { Warning } from '../../core/model/error.js';
import { defaultBase } from '../../git/repository/branches.js';
import type { ReviewRequest } from '../changes/review-request.js';
import { type ReviewContext, type ReviewRoom, withReview } from '../changes/review-room.js';
import { binaryOmission, inPathOrder } from '../prune/binary-omission.js';
import type { Omission } from '../prune/omission.js';
import { projectRules } from '../rules/project-rules.js';
import type { PlanRow } from './fuse-plan.js';
import { planReview, type ReviewPlan } from './plan-review.js';
import type { PlannerIndex } from './planner-index.js';

export interface PlanAnswer {
  readonly planner_index: PlannerIndex;
  readonly plan: readonly PlanRow[];
  readonly omitted: readonly Omission[];
  readonly warnings: readonly Warning[];
}

export function reviewPlan(request: ReviewRequest, context: ReviewContext): Promise<PlanAnswer> {
  return withReview(request, context, async (room) => planAnswer(await planRoom(room)));
}

/** A plan in the words of its contract. */
export function planAnswer({ plannerIndex, plan, omitted, warnings }: PlannedRoom): PlanAnswer {
  return { planner_index: plannerIndex, plan, omitted, warnings };
}

export interface PlannedRoom extends ReviewPlan {
  readonly omitted: readonly Omission[];
}

/** Plans the change of an open room; binary files have no unit and are accounted as omitted. */
export async function planRoom(room: ReviewRoom): Promise<PlannedRoom> {
  const { repository, change, config, request, kept, signal } = room;
  const rules = projectRules(config.rules);
  const baseBranch = change.mode === 'pr' ? (request.base ?? (await defaultBase(repository))) : undefined;
  const planned = await planReview(repository, change, {
    entries: kept,
    baseBranch,
    rules,
    llmPlan: request.llm_plan,
    protect: request.protect,
    signal,
  });
  const binaries = planned.files.filter(({ patch }) => patch.binary).map(({ patch }) => patch.entry.path);
  return {
    ...planned,
    omitted: inPathOrder([...room.omitted, ...[...new Set(binaries)].map(binaryOmission)]),
    warnings: [...room.warnings, ...planned.warnings],
  };
}
