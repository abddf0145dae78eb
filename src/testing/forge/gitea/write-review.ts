// A review at Gitea. A remark stands on one line, named by its number on one side. The real one takes lines outside of the diff and
// shows them nowhere; here they are refused, so that nobody sends them.
import { type DiffFile, lineInDiff, type Side } from '../host/diff.js';
import type { Pull, Review, ThreadPlace } from '../host/records.js';
import type { Answer, Exchange } from '../host/request.js';
import type { World } from '../host/world.js';
import { refusal } from './refusals.js';

const states = { COMMENT: 'COMMENTED', APPROVED: 'APPROVED', REQUEST_CHANGES: 'CHANGES_REQUESTED' } as const;

export async function writeReview(world: World, pull: Pull, exchange: Exchange): Promise<Answer | Review> {
  const { account } = exchange;
  const asked = (exchange.body ?? {}) as Record<string, unknown>;
  const { event, body = '', commit_id: commit = pull.head.commit, comments = [] } = asked;
  const refused = (text: string) => refusal(422, text);
  if (typeof event !== 'string' || !Object.hasOwn(states, event))
    return refusal(501, 'The loopback forge has no pending reviews.');
  if (typeof body !== 'string' || typeof commit !== 'string' || !Array.isArray(comments))
    return refused('The review has another form.');
  const isOwn = account.login === pull.author;
  if (isOwn && event === 'APPROVED') return refused('approve your own pull is not allowed');
  if (isOwn && event === 'REQUEST_CHANGES') return refused('reject your own pull is not allowed');
  const hasBody = body.trim() !== '';
  if (!hasBody && event === 'REQUEST_CHANGES') return refused(`review event ${event} requires a body`);
  if (!hasBody && event === 'COMMENT' && comments.length === 0)
    return refused(`review event ${event} requires a body or a comment`);
  if (pull.state !== 'open' && event !== 'COMMENT') return refused('can not submit on a closed pull request');
  if (!(await world.repository.isAncestor(commit, pull.head.commit).catch(() => false)))
    return refused('the commit is not part of the pull request');
  const diff = await world.diffOf(pull, commit);
  const remarks: { place: ThreadPlace; text: string }[] = [];
  for (const comment of comments as Record<string, unknown>[]) {
    const place = placed(comment, diff);
    if (place === undefined) return refused('the line is not part of the diff');
    remarks.push({ place, text: String(comment.body) });
  }
  const review: Review = {
    id: world.nextId(),
    author: account.login,
    state: states[event as keyof typeof states],
    ...{ body, commit, submittedAt: world.now() },
  };
  pull.reviews.push(review);
  for (const { place, text } of remarks)
    await world.addThread(pull, place, { commit, reviewId: review.id, author: account.login, body: text });
  pull.updatedAt = world.now();
  return review;
}

/** The old number counts where both are given. */
function placed(comment: Record<string, unknown>, diff: readonly DiffFile[]): ThreadPlace | undefined {
  const { path, body, new_position: next = 0, old_position: old = 0 } = comment;
  const side: Side = Number(old) > 0 ? 'old' : 'new';
  const line = Number(side === 'old' ? old : next);
  const file = diff.find((each) => each.path === path);
  if (file === undefined || typeof body !== 'string' || body.trim() === '') return undefined;
  if (lineInDiff(file, side, line) === undefined) return undefined;
  return { path: file.path, oldPath: file.oldPath, side, line, startLine: line };
}
