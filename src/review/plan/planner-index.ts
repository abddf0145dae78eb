// What a planner reads: the change without its text. Field names are a contract with planners.
import type { ChangeSet } from '../../git/changes/read-change-set.js';
import { compactLines } from '../units/changed-lines.js';
import { addedCount, type PatchType, type ReviewUnit, removedCount } from '../units/unit.js';
import type { RuleVerdict } from './apply-rules.js';
import type { ContextLevel, ExtraRequest } from './context-need.js';

export interface IndexUnit {
  readonly unit_id: string;
  readonly file_path: string;
  readonly patch_type: PatchType;
  readonly tags: readonly string[];
  readonly metrics: {
    readonly added_lines: number;
    readonly removed_lines: number;
    readonly hunk_count: number;
  };
  readonly rule_context_level: ContextLevel;
  readonly rule_confidence: number;
  readonly line_numbers: { readonly new_compact: string | null; readonly old_compact: string | null };
  readonly rule_extra_requests: readonly ExtraRequest[];
}

export interface PlannerIndex {
  readonly review_metadata: {
    readonly mode: ChangeSet['mode'];
    readonly base_branch: string;
    readonly total_files: number;
    readonly total_changes: number;
    /** Committer date of the head, so that the same change gives the same index. */
    readonly timestamp: string;
  };
  readonly summary: {
    readonly changes_by_type: Readonly<Record<string, number>>;
    readonly total_lines: { readonly added: number; readonly removed: number };
    readonly files_changed: readonly string[];
  };
  readonly units: readonly IndexUnit[];
}

export interface JudgedUnit {
  readonly unit: ReviewUnit;
  readonly verdict: RuleVerdict;
}

interface IndexHead {
  readonly mode: ChangeSet['mode'];
  readonly baseBranch: string;
  readonly timestamp: string;
}

export function plannerIndex(head: IndexHead, judged: readonly JudgedUnit[]): PlannerIndex {
  const units = judged.map(indexUnit);
  const files = [...new Set(judged.map(({ unit }) => unit.path))];
  const sum = (pick: (unit: ReviewUnit) => number) =>
    judged.reduce((total, { unit }) => total + pick(unit), 0);
  return {
    review_metadata: {
      mode: head.mode,
      base_branch: head.baseBranch,
      total_files: files.length,
      total_changes: units.length,
      timestamp: head.timestamp,
    },
    summary: {
      changes_by_type: filesByType(judged),
      total_lines: { added: sum(addedCount), removed: sum(removedCount) },
      files_changed: files,
    },
    units,
  };
}

function indexUnit({ unit, verdict }: JudgedUnit): IndexUnit {
  return {
    unit_id: unit.id,
    file_path: unit.path,
    patch_type: unit.patchType,
    tags: verdict.tags,
    metrics: {
      added_lines: addedCount(unit),
      removed_lines: removedCount(unit),
      hunk_count: unit.hunkCount,
    },
    rule_context_level: verdict.level,
    rule_confidence: verdict.confidence,
    line_numbers: { new_compact: compactLines(unit.added), old_compact: compactLines(unit.removed) },
    rule_extra_requests: verdict.extraRequests,
  };
}

/** Counts files; renames are named only where there are any. */
function filesByType(judged: readonly JudgedUnit[]): Record<string, number> {
  const counts: Record<string, number> = { add: 0, modify: 0, delete: 0 };
  const types = new Map(judged.map(({ unit }) => [unit.path, fileType(unit)] as const));
  for (const type of types.values()) counts[type] = (counts[type] ?? 0) + 1;
  return counts;
}

function fileType({ file }: ReviewUnit): PatchType {
  const { status } = file.patch.entry;
  if (status === 'added' || status === 'copied') return 'add';
  if (status === 'deleted') return 'delete';
  return status === 'renamed' ? 'rename' : 'modify';
}
