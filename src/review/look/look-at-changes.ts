// What changed, for somebody who looks at it: read once and held, so that its review is set for the very change that was shown.

import type { OpenReviewOptions } from '../change/open-review.js';
import { changesIn, type ReviewChanges, reviewChanges } from '../change/review-changes.js';
import type { ReviewRequest } from '../change/review-request.js';
import type { LookedAt, ReviewLooks } from './review-looks.js';

interface ChangesContext extends OpenReviewOptions {
  /** Absent where nothing goes on after a call. */
  readonly looks?: ReviewLooks | undefined;
}

export async function lookAtChanges(
  request: ReviewRequest,
  { looks, ...options }: ChangesContext,
): Promise<ReviewChanges> {
  const { repo, mode, base, head, commit, paths, ...more } = request;
  // Whoever asks for more than a change, such as what is new since a review, has it read for that alone.
  const isMore = Object.values(more).some((value) => value !== undefined);
  if (looks === undefined || isMore) return reviewChanges(request, options);
  const change: LookedAt = { repo, mode, base, head, commit, paths };
  return looks.read(change, options, async (opened, look) => ({
    ...(await opened.recall('changes', () => changesIn(opened))),
    look,
  }));
}
