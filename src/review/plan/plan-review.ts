// From a change set to a plan: units, what the rules say about each, the index a planner reads, and the fused result.
import type { Warning } from '../../core/model/error.js';
import type { ChangeEntry } from '../../git/changes/change-entry.js';
import type { ChangeSet } from '../../git/changes/read-change-set.js';
import type { Repository } from '../../git/repository/open-repository.js';
import { applyRules } from '../rules/apply-rules.js';
import { defaultRules } from '../rules/default-rules.js';
import type { Rule } from '../rules/rule.js';
import type { ChangedFile } from '../units/changed-file.js';
import { makeUnits } from '../units/make-units.js';
import { readChangedFiles } from '../units/read-changed-files.js';
import { fusePlan, type PlanRow, type Protection } from './fuse-plan.js';
import { type JudgedUnit, type PlannerIndex, plannerIndex } from './planner-index.js';

export interface PlanWish {
  /** The entries that are reviewed; pruned ones are the caller's to account for. */
  readonly entries: readonly ChangeEntry[];
  readonly baseBranch?: string | undefined;
  readonly llmPlan?: unknown;
  readonly protect?: Protection | undefined;
  /** Rules of the project, beside the default ones; one with the id of a default rule replaces it. */
  readonly rules?: readonly Rule[] | undefined;
  readonly signal?: AbortSignal | undefined;
}

export interface ReviewPlan {
  readonly plannerIndex: PlannerIndex;
  readonly plan: readonly PlanRow[];
  readonly judged: readonly JudgedUnit[];
  readonly files: readonly ChangedFile[];
  readonly warnings: readonly Warning[];
}

export async function planReview(
  repository: Repository,
  changeSet: ChangeSet,
  wish: PlanWish,
): Promise<ReviewPlan> {
  const files = await readChangedFiles(repository, wish.entries, { signal: wish.signal });
  const judged = judgeUnits(files, wish.rules);
  const index = plannerIndex(
    {
      mode: changeSet.mode,
      baseBranch: wish.baseBranch ?? baseOf(changeSet),
      timestamp: changeSet.committedAt ?? '',
    },
    judged,
  );
  const fusable = {
    units: index.units.map((unit, at) => ({ ...unit, rule_notes: judged[at]!.verdict.notes })),
  };
  const { plan, warnings } = fusePlan(fusable, wish.llmPlan, { protect: wish.protect });
  return { plannerIndex: index, plan, judged, files, warnings };
}

export function judgeUnits(files: readonly ChangedFile[], own: readonly Rule[] = []): JudgedUnit[] {
  const replaced = new Set(own.map(({ id }) => id));
  const rules = { builtIn: defaultRules.filter(({ id }) => !replaced.has(id)), own };
  const readable = files.filter(({ patch }) => !patch.binary);
  return makeUnits(readable).map((unit) => ({ unit, verdict: applyRules(unit, rules) }));
}

function baseOf({ mode, baseCommit }: ChangeSet): string {
  return mode === 'staged' || mode === 'working' ? 'HEAD' : (baseCommit ?? '');
}
