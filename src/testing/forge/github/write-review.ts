// A review of a pull request. One remark on a line that is not in the diff, and nothing of the whole review is taken.
import { type DiffFile, lineInDiff } from '../host/diff.js';
import type { Pull, Review, ThreadPlace } from '../host/records.js';
import type { Answer, Exchange } from '../host/request.js';
import type { World } from '../host/world.js';
import { bodyProblem, invalidRequest, refusal, unprocessable } from './refusals.js';

interface Remark extends ThreadPlace {
  readonly body: string;
}

const states = { COMMENT: 'COMMENTED', APPROVE: 'APPROVED', REQUEST_CHANGES: 'CHANGES_REQUESTED' } as const;

export async function writeReview(world: World, pull: Pull, exchange: Exchange): Promise<Answer | Review> {
  const { account } = exchange;
  const asked = (exchange.body ?? {}) as Record<string, unknown>;
  const { event, body = '', commit_id: commit = pull.head.commit, comments = [] } = asked;
  if (event === undefined) return refusal(501, 'The loopback forge has no pending reviews.');
  if (typeof event !== 'string' || !Object.hasOwn(states, event))
    return invalidRequest(`No subschema in "event" matched.`);
  if (typeof body !== 'string' || !Array.isArray(comments)) return invalidRequest('Wrong type.');
  const isOwn = account.login === pull.author;
  if (isOwn && event === 'APPROVE') return unprocessable('Can not approve your own pull request');
  if (isOwn && event === 'REQUEST_CHANGES')
    return unprocessable('Can not request changes on your own pull request');
  if (body === '' && (event === 'REQUEST_CHANGES' || (event === 'COMMENT' && comments.length === 0)))
    return unprocessable('Review body can not be blank');
  if (body !== '' && bodyProblem(body) !== undefined) return unprocessable(bodyProblem(body)!);
  if (typeof commit !== 'string' || !(await isCommitOf(world, pull, commit)))
    return unprocessable('The commit is not part of the pull request');
  const diff = await world.diffOf(pull, commit);
  const remarks: Remark[] = [];
  for (const comment of comments as unknown[]) {
    const remark = placed(comment, diff);
    if (typeof remark === 'string') return unprocessable(remark);
    remarks.push(remark);
  }
  const review: Review = {
    id: world.nextId(),
    author: account.login,
    state: states[event as keyof typeof states],
    ...{ body, commit },
    submittedAt: world.now(),
  };
  pull.reviews.push(review);
  for (const { body: text, ...place } of remarks)
    await world.addThread(pull, place, { commit, reviewId: review.id, author: account.login, body: text });
  pull.updatedAt = world.now();
  return review;
}

async function isCommitOf(
  { repository }: World,
  { head, mergeBase }: Pull,
  commit: string,
): Promise<boolean> {
  if (!/^[0-9a-f]{40}$/.test(commit) || (await repository.commitOf(commit)) === undefined) return false;
  return (
    (await repository.isAncestor(commit, head.commit)) && !(await repository.isAncestor(commit, mergeBase))
  );
}

/** The remark, or why it has no place. */
function placed(comment: unknown, diff: readonly DiffFile[]): Remark | string {
  const {
    path,
    body,
    line,
    side = 'RIGHT',
    start_line: start = line,
    start_side: startSide = side,
  } = (comment ?? {}) as Record<string, unknown>;
  if (typeof body !== 'string' || typeof path !== 'string') return 'Path and body have to be given';
  const problem = bodyProblem(body);
  if (problem !== undefined) return problem;
  const file = diff.find((each) => each.path === path);
  if (file === undefined) return 'Path could not be resolved';
  if (typeof line !== 'number' || !isSide(side)) return 'Line could not be resolved';
  if (typeof start !== 'number' || !isSide(startSide)) return 'Start line could not be resolved';
  if (startSide !== side) return 'The loopback forge knows ranges on one side only';
  const where = side === 'RIGHT' ? 'new' : 'old';
  const [first, last] = [lineInDiff(file, where, start), lineInDiff(file, where, line)];
  if (last === undefined) return 'Line could not be resolved';
  if ((comment as Record<string, unknown>).start_line !== undefined && start >= line)
    return 'Pull request review thread start line must precede the end line.';
  if (first === undefined) return 'Start line could not be resolved';
  if (first.hunk !== last.hunk)
    return 'Pull request review thread start line must be part of the same hunk as the line.';
  return { path, oldPath: file.oldPath, side: where, line, startLine: start, body };
}

function isSide(side: unknown): side is 'LEFT' | 'RIGHT' {
  return side === 'LEFT' || side === 'RIGHT';
}
