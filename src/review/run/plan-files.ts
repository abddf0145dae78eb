// Which files a planner lets go: those of which it may skip every unit. Rules that protect a unit are asked first.
import type { RunRecord } from '../../core/model/run-record.js';
import type { Warning } from '../../core/model/warning.js';
import type { ReviewRoom } from '../changes/review-room.js';
import { fusePlan, type PlanRow } from '../plan/fuse-plan.js';
import { planRoom } from '../plan/review-plan.js';
import type { Omission } from '../prune/omission.js';
import { type PlannerOptions, planWithModel } from './plan-with-model.js';
import type { Reviewer } from './reviewer.js';

export interface PlannedFiles {
  readonly plan: readonly PlanRow[];
  readonly skipped: ReadonlySet<string>;
  readonly omitted: readonly Omission[];
  readonly warnings: readonly Warning[];
  readonly run?: RunRecord;
}

export async function planFiles(
  room: ReviewRoom,
  reviewer: Reviewer,
  options: PlannerOptions,
): Promise<PlannedFiles> {
  const { plannerIndex, judged } = await planRoom(room);
  const asked = await planWithModel(plannerIndex, reviewer, options);
  const units = plannerIndex.units.map((unit, at) => ({
    ...unit,
    rule_notes: judged[at]?.verdict.notes ?? [],
  }));
  const { plan, warnings } = fusePlan({ units }, asked.plan, { protect: room.request.protect });
  const lines = new Map<string, { added: number; removed: number; skip: boolean }>();
  units.forEach(({ file_path: path, metrics }, at) => {
    const known = lines.get(path) ?? { added: 0, removed: 0, skip: true };
    lines.set(path, {
      added: known.added + metrics.added_lines,
      removed: known.removed + metrics.removed_lines,
      skip: known.skip && plan[at]?.skip_review === true,
    });
  });
  const skipped = [...lines].filter(([, { skip }]) => skip);
  return {
    plan,
    skipped: new Set(skipped.map(([path]) => path)),
    omitted: skipped.map(([path, { added, removed }]) => ({
      path,
      reason: 'skipped by the planner',
      rule: 'planner',
      added,
      removed,
    })),
    warnings: [...asked.warnings, ...warnings],
    ...(asked.run === undefined ? {} : { run: asked.run }),
  };
}
