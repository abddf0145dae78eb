// The change set with every entry and every omission.
import type { Warning } from '../../core/model/error.js';
import type { ChangeEntry, EntryKind, EntryStatus } from '../../git/changes/change-entry.js';
import type { FilePatch, LineEndingFlip } from '../../git/patch/patch.js';
import { streamPatches } from '../../git/patch/stream-patches.js';
import { coverageLine } from './coverage.js';
import type { Omission } from './omission.js';
import { binaryOmission, inPathOrder } from './omission.js';
import { type OpenReviewOptions, openReview, type ReviewContext } from './open-review.js';
import type { ReviewRequest } from './review-request.js';

interface HunkRange {
  readonly oldStart: number;
  readonly oldLines: number;
  readonly newStart: number;
  readonly newLines: number;
}

export interface ChangedPath {
  readonly path: string;
  readonly oldPath?: string;
  readonly status: EntryStatus;
  readonly kind: EntryKind;
  readonly oldMode?: string;
  readonly newMode?: string;
  readonly oldBlob?: string;
  readonly newBlob?: string;
  readonly similarity?: number;
  readonly binary: boolean;
  readonly added: number;
  readonly removed: number;
  /** Empty for omitted files: no patch is made of them. */
  readonly hunks: readonly HunkRange[];
  readonly lineEndings?: LineEndingFlip;
}

export interface ReviewChanges {
  readonly mode: ReviewRequest['mode'];
  readonly base?: string;
  readonly head?: string;
  readonly entries: readonly ChangedPath[];
  readonly omitted: readonly Omission[];
  readonly coverage: string;
  readonly warnings: readonly Warning[];
  /** Where the change is held open: what to name it by. */
  readonly look?: string;
}

export async function reviewChanges(
  request: ReviewRequest,
  context: OpenReviewOptions,
): Promise<ReviewChanges> {
  return openReview(request, context, changesIn);
}

export async function changesIn({
  repository,
  change,
  kept,
  omitted,
  warnings,
  signal,
}: ReviewContext): Promise<ReviewChanges> {
  const left = new Map(omitted.map((omission) => [omission.path, omission]));
  const entries = new Map<string, ChangedPath>();
  for (const entry of change.entries) {
    const { added = 0, removed = 0, rule } = left.get(entry.path) ?? {};
    const binary = rule === 'binary-extension' && added + removed === 0;
    entries.set(entry.path, { ...factsOf(entry), binary, added, removed, hunks: [] });
  }
  const binaries: Omission[] = [];
  for await (const patch of streamPatches(repository, kept, { signal })) {
    const { path } = patch.entry;
    entries.set(path, withPatch(entries.get(path)!, patch));
    if (patch.binary) binaries.push(binaryOmission(path));
  }
  const all = inPathOrder([...omitted, ...binaries]);
  const unread = new Set(binaries.map(({ path }) => path));
  const seen = kept.filter(({ path }) => !unread.has(path));
  const sum = (pick: (path: ChangedPath) => number) =>
    seen.reduce((total, { path }) => total + pick(entries.get(path)!), 0);
  return {
    mode: change.mode,
    ...(change.baseCommit === undefined ? {} : { base: change.baseCommit }),
    ...(change.headCommit === undefined ? {} : { head: change.headCommit }),
    entries: [...entries.values()],
    omitted: all,
    coverage: coverageLine(
      { files: seen.length, added: sum(({ added }) => added), removed: sum(({ removed }) => removed) },
      all,
    ),
    warnings,
  };
}

function factsOf(entry: ChangeEntry): Omit<ChangedPath, 'binary' | 'added' | 'removed' | 'hunks'> {
  const { path, oldPath, status, kind, oldMode, newMode, oldBlob, newBlob, similarity } = entry;
  return {
    path,
    ...(oldPath === undefined ? {} : { oldPath }),
    status,
    kind,
    ...(oldMode === undefined ? {} : { oldMode }),
    ...(newMode === undefined ? {} : { newMode }),
    ...(oldBlob === undefined ? {} : { oldBlob }),
    ...(newBlob === undefined ? {} : { newBlob }),
    ...(similarity === undefined ? {} : { similarity }),
  };
}

/** A type change has two patches; their lines add up. */
function withPatch(entry: ChangedPath, patch: FilePatch): ChangedPath {
  const ranges = patch.hunks.map(({ oldStart, oldCount, newStart, newCount }) => ({
    oldStart,
    oldLines: oldCount,
    newStart,
    newLines: newCount,
  }));
  return {
    ...entry,
    binary: entry.binary || patch.binary,
    added: entry.added + patch.added,
    removed: entry.removed + patch.removed,
    hunks: [...entry.hunks, ...ranges],
    ...(patch.eolFlip === undefined ? {} : { lineEndings: patch.eolFlip }),
  };
}
