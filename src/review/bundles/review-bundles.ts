// The answer of review:bundles: one bundle for each unit that is reviewed, and everything that is not in one.

import type { Warning } from '../../core/model/error.js';
import type { Receipt } from '../../core/model/receipt.js';
import { loadMeter } from '../../meters/load-meter.js';
import type { ReviewRequest } from '../changes/review-request.js';
import { type ReviewContext, withReview } from '../changes/review-room.js';
import { defaultMeter } from '../pages/page-set.js';
import { planRoom } from '../plan/review-plan.js';
import type { Omission } from '../prune/omission.js';
import { secretWatch } from '../secret-watch.js';
import { addedCount, removedCount } from '../units/unit.js';
import type { ContextBundle } from './bundle.js';
import { contextSource } from './gather-context.js';
import { type MadeBundles, makeBundles } from './make-bundles.js';
import { type PlannedUnit, plannedUnits } from './planned-unit.js';

export interface BundleAnswer {
  readonly bundles: readonly ContextBundle[];
  readonly omitted: readonly Omission[];
  readonly warnings: readonly Warning[];
  readonly receipt: Receipt;
}

export interface BundleRequest extends ReviewRequest {
  /** Cuts the diff of a unit; without it every diff is whole. */
  readonly maxDiffChars?: number | undefined;
  /** Takes out what looks like a secret; without it such values are only counted. */
  readonly redact?: boolean | undefined;
}

export function reviewBundles(request: BundleRequest, context: ReviewContext): Promise<BundleAnswer> {
  const { maxDiffChars, redact = false, ...common } = request;
  const secrets = secretWatch(redact);
  return withReview(common, context, async (room) => {
    const { repository, change, request: asked, signal } = room;
    const meter = await loadMeter(asked.meter ?? defaultMeter);
    const planned = await planRoom(room);
    const units = plannedUnits(planned.judged, planned.plan);
    const reviewed = units.filter(({ row }) => !row.skip_review);
    const source = contextSource({
      ...{ repository, tree: change.newTree, past: change.baseCommit },
      ...{ changed: planned.files, signal },
    });
    const gathered = {
      files: planned.files,
      ...(await source.answer(reviewed)),
      // Only a budget asks for what lies around the change.
      ...(asked.budget === undefined ? { pieces: [], opened: new Map() } : await source.rank(planned.files)),
    };
    const made = makeBundles(reviewed, gathered, {
      meter,
      budget: asked.budget?.tokens,
      mostDiffCharacters: maxDiffChars,
      secrets,
    });
    return {
      bundles: made.bundles,
      omitted: [...planned.omitted, ...skipped(units), ...shortened(made)],
      warnings: [...planned.warnings, ...made.warnings, ...secrets.warnings()],
      receipt: made.receipt,
    };
  });
}

function skipped(units: readonly PlannedUnit[]): Omission[] {
  return units
    .filter(({ row }) => row.skip_review)
    .map(({ unit }) => ({
      path: unit.path,
      reason: 'skipped by the plan',
      rule: 'skip-review',
      added: addedCount(unit),
      removed: removedCount(unit),
      partial: true,
    }));
}

function shortened({ diffs }: MadeBundles): Omission[] {
  return [...diffs].flatMap(([{ unit }, { leftOut }]) =>
    leftOut.added + leftOut.removed === 0
      ? []
      : [
          {
            path: unit.path,
            reason: 'diff above its length limit',
            rule: 'diff-limit',
            ...leftOut,
            partial: true,
          },
        ],
  );
}
