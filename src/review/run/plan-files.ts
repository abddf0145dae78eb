// The plan of a review: what the rules say of every unit, and where a planner is asked, what the two come to together. Files of which
// every unit may be skipped are let go.
import type { Receipt } from '../../core/model/receipt.js';
import type { RunRecord } from '../../core/model/run-record.js';
import type { Warning } from '../../core/model/warning.js';
import type { Omission } from '../change/omission.js';
import type { ReviewContext } from '../change/open-review.js';
import { fusePlan } from '../plan/fuse-plan.js';
import { planReview, type ReviewPlan } from '../plan/plan-review.js';
import { addedCount, removedCount } from '../units/unit.js';
import { type PlannerOptions, planWithModel } from './plan-with-model.js';
import type { Reviewer } from './reviewer.js';

export interface PlannedFiles {
  /** Undefined for a change too large to be planned. */
  readonly planned: ReviewPlan | undefined;
  readonly skipped: ReadonlySet<string>;
  readonly omitted: readonly Omission[];
  readonly warnings: readonly Warning[];
  readonly run?: RunRecord;
  /** Of what the planner was sent. */
  readonly receipt?: Receipt;
}

/** A plan holds both sides of every file; beyond this a change is read as a stream and nothing else. */
const most = { files: 1_000, bytes: 48 * 1024 * 1024 };

export async function planFiles(
  room: ReviewContext,
  planner: { readonly reviewer: Reviewer; readonly options: PlannerOptions } | undefined,
): Promise<PlannedFiles> {
  const nothing = { skipped: new Set<string>(), omitted: [], warnings: [] };
  const bytes = room.kept.reduce((sum, { newSize = 0, oldSize = 0 }) => sum + newSize + oldSize, 0);
  if (room.kept.length > most.files || bytes > most.bytes)
    return { ...nothing, planned: undefined, warnings: [notPlanned(room.kept.length)] };
  const planned = await planReview(room);
  if (planner === undefined)
    return { ...nothing, ...letGo(planned), planned, warnings: ownWarnings(planned, room) };
  const asked = await planWithModel(planned.plannerIndex, planner.reviewer, planner.options);
  const units = planned.plannerIndex.units.map((unit, at) => ({
    ...unit,
    rule_notes: planned.judged[at]?.verdict.notes ?? [],
  }));
  const { plan, warnings } = fusePlan({ units }, asked.plan, { protect: room.request.protect });
  const fused = { ...planned, plan };
  return {
    planned: fused,
    ...letGo(fused),
    warnings: [...asked.warnings, ...warnings],
    ...(asked.run === undefined ? {} : { run: asked.run }),
    ...(asked.receipt === undefined ? {} : { receipt: asked.receipt }),
  };
}

/** Those of the room are told by the pages. */
function ownWarnings({ warnings }: ReviewPlan, room: ReviewContext): Warning[] {
  return warnings.filter((warning) => !room.warnings.includes(warning));
}

function letGo({ judged, plan }: ReviewPlan): Pick<PlannedFiles, 'skipped' | 'omitted'> {
  const lines = new Map<string, { added: number; removed: number; skip: boolean }>();
  judged.forEach(({ unit }, at) => {
    const known = lines.get(unit.path) ?? { added: 0, removed: 0, skip: true };
    lines.set(unit.path, {
      added: known.added + addedCount(unit),
      removed: known.removed + removedCount(unit),
      skip: known.skip && plan[at]?.skip_review === true,
    });
  });
  const skipped = [...lines].filter(([, { skip }]) => skip);
  return {
    skipped: new Set(skipped.map(([path]) => path)),
    omitted: skipped.map(([path, { added, removed }]) => ({
      path,
      reason: 'skipped by the planner',
      rule: 'planner',
      added,
      removed,
    })),
  };
}

function notPlanned(files: number): Warning {
  return {
    code: 'CONTEXT_NOT_PLANNED',
    message: `The change is too large (${files} files) to be planned; its pages carry the diff alone.`,
    details: { files, most: most.files },
  };
}
