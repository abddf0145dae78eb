// What became of a posting, in one line.
import type { PostedReview } from '../../../review/pull/post-review.js';
import type { PullFacts } from '../../../review/pull/review-pull.js';
import { word } from '../words/word.js';

export function postedWords(posted: PostedReview, pull?: Pick<PullFacts, 'url'>): string {
  const { lines, resolved, open, dismissed, refused } = posted;
  if (!posted.posted) return word('pr.moved');
  return word('pr.posted', {
    ...{ lines, resolved, open },
    dismissed: dismissed === 0 ? '' : word('pr.posted-dismissed', { n: dismissed }),
    refused: refused === 0 ? '' : word('pr.posted-refused', { n: refused }),
    url: pull === undefined ? '' : ` ${pull.url}`,
  });
}
