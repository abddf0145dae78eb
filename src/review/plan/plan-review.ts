// From a change to a plan: its units, what the rules say about each, the index a planner reads, and what rules and model come to
// together.
import type { Warning } from '../../core/model/error.js';
import type { ChangeEntry } from '../../git/changes/change-entry.js';
import type { ChangeSet } from '../../git/changes/read-change-set.js';
import { defaultBase } from '../../git/repository/branches.js';
import type { Repository } from '../../git/repository/open-repository.js';
import { groupBy } from '../change/group-by.js';
import { binaryOmission, inPathOrder, type Omission } from '../change/omission.js';
import { type OpenReviewOptions, openReview, type ReviewContext } from '../change/open-review.js';
import type { ReviewRequest } from '../change/review-request.js';
import type { ChangedFile } from '../units/changed-file.js';
import { readChangedFiles } from '../units/changed-file.js';
import { makeUnits } from '../units/unit.js';
import { applyRules } from './apply-rules.js';
import { defaultRules } from './default-rules.js';
import { type FusedPlan, fusePlan, type PlanRow, type Protection } from './fuse-plan.js';
import { type JudgedUnit, type PlannerIndex, plannerIndex } from './planner-index.js';
import type { Rule } from './rule.js';
import { projectRules, risks } from './rule.js';
import { staleMoves } from './stale-moves.js';
import { movedSymbols } from './symbol-evidence.js';

export interface PlanAnswer {
  readonly planner_index: PlannerIndex;
  readonly plan: readonly PlanRow[];
  readonly omitted: readonly Omission[];
  readonly warnings: readonly Warning[];
}

export function reviewPlan(request: ReviewRequest, context: OpenReviewOptions): Promise<PlanAnswer> {
  return openReview(request, context, async (opened) => planAnswer(await planReview(opened)));
}

/** A plan in the words of its contract. */
export function planAnswer({ plannerIndex, plan, omitted, warnings }: ReviewPlan): PlanAnswer {
  return { planner_index: plannerIndex, plan, omitted, warnings };
}

export interface ReviewPlan extends UnitPlan {
  readonly omitted: readonly Omission[];
}

/** Binary files have no unit and are accounted as omitted. */
export async function planReview(opened: ReviewContext): Promise<ReviewPlan> {
  const { repository, change, config, request, kept, signal } = opened;
  const rules = projectRules(config.rules);
  const baseBranch = change.mode === 'pr' ? (request.base ?? (await defaultBase(repository))) : undefined;
  const planned = await planUnits(repository, change, {
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
    omitted: inPathOrder([...opened.omitted, ...[...new Set(binaries)].map(binaryOmission)]),
    warnings: [...opened.warnings, ...planned.warnings],
  };
}

interface PlanOptions {
  /** The entries that are reviewed; pruned ones are the caller's to account for. */
  readonly entries: readonly ChangeEntry[];
  readonly baseBranch?: string | undefined;
  readonly llmPlan?: unknown;
  readonly protect?: Protection | undefined;
  /** Rules of the project, beside the default ones; one with the id of a default rule replaces it. */
  readonly rules?: readonly Rule[] | undefined;
  readonly signal?: AbortSignal | undefined;
}

interface UnitPlan {
  readonly plannerIndex: PlannerIndex;
  readonly plan: readonly PlanRow[];
  readonly judged: readonly JudgedUnit[];
  readonly files: readonly ChangedFile[];
  readonly warnings: readonly Warning[];
}

export async function planUnits(
  repository: Repository,
  changeSet: ChangeSet,
  options: PlanOptions,
): Promise<UnitPlan> {
  const files = await readChangedFiles(repository, options.entries, { signal: options.signal });
  const stale = await staleMoves(repository, files, { tree: changeSet.newTree, signal: options.signal });
  const judged = judgeUnits(files, stale, options.rules);
  const index = plannerIndex(
    {
      mode: changeSet.mode,
      baseBranch: options.baseBranch ?? baseOf(changeSet),
      timestamp: changeSet.committedAt ?? '',
    },
    judged,
  );
  const fused = fuseWithModel({ plannerIndex: index, judged }, options.llmPlan, options.protect);
  return { plannerIndex: index, judged, files, ...fused };
}

/** What the rules say of every unit, and what a model says on top of it. */
export function fuseWithModel(
  { plannerIndex: { units }, judged }: Pick<UnitPlan, 'plannerIndex' | 'judged'>,
  llmPlan: unknown,
  protect: Protection | undefined,
): FusedPlan {
  const noted = units.map((unit, at) => ({ ...unit, rule_notes: judged[at]!.verdict.notes }));
  return fusePlan({ units: noted }, llmPlan, { protect });
}

function judgeUnits(
  files: readonly ChangedFile[],
  stale: ReadonlySet<ChangedFile>,
  own: readonly Rule[] = [],
): JudgedUnit[] {
  const replaced = new Set(own.map(({ id }) => id));
  const rules = { builtIn: defaultRules.filter(({ id }) => !replaced.has(id)), own };
  const readable = files.filter(({ patch }) => !patch.binary);
  const moved = movedSymbols(readable);
  // One unit of a file speaks for its path.
  const unsaid = new Set(stale);
  return makeUnits(readable).map((unit) => {
    const isStale = unsaid.delete(unit.file);
    return { unit, verdict: applyRules(unit, rules, { moved, isStale }) };
  });
}

function baseOf({ mode, baseCommit }: ChangeSet): string {
  return mode === 'staged' || mode === 'working' ? 'HEAD' : (baseCommit ?? '');
}

/** A unit with its place in the plan. */
export interface PlannedUnit extends JudgedUnit {
  readonly row: PlanRow;
  /** Place in the plan, from zero. */
  readonly position: number;
}

export function plannedUnits({ judged, plan }: Pick<UnitPlan, 'judged' | 'plan'>): PlannedUnit[] {
  return judged.map((one, position) => ({ ...one, row: plan[position]!, position }));
}

/** The units of each file. */
export type UnitsByPath = ReadonlyMap<string, readonly PlannedUnit[]>;

const grouped = new WeakMap<object, UnitsByPath>();

/** A plan that is looked at again has the same units. */
export function unitsByPath(plan: Pick<UnitPlan, 'judged' | 'plan'>): UnitsByPath {
  const found = grouped.get(plan) ?? groupBy(plannedUnits(plan), ({ unit }) => unit.path);
  grouped.set(plan, found);
  return found;
}

export function riskRank({ verdict }: PlannedUnit): number {
  return risks.indexOf(verdict.risk);
}
