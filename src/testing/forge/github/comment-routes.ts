// Comments and reviews over GitHub's REST API. What creates content is counted.

import { roleOf } from '../host/host.js';
import { creationLimits } from '../host/limits.js';
import type { Comment, Pull, Thread } from '../host/records.js';
import type { Answer, Exchange, Parameters, Route } from '../host/request.js';
import type { FoundComment } from '../host/world.js';
import { list, pullAt, type RestSetup, repositoryPath } from './pull-routes.js';
import {
  bodyProblem,
  needs,
  notFound,
  refusal,
  secondaryLimit,
  validationFailed,
  withoutRight,
} from './refusals.js';
import { writeReview } from './write-review.js';

const minute = 60_000;

export function commentRoutes(setup: RestSetup): Route[] {
  const { world, bodies, now } = setup;
  const limits = creationLimits(
    [
      { count: 80, ms: minute },
      { count: 500, ms: 60 * minute },
    ],
    now,
  );
  const create = (
    path: string,
    run: (pull: Pull, exchange: Exchange, at: Parameters) => Answer | Promise<Answer>,
  ): Route => ({
    method: 'POST',
    path: `${repositoryPath}${path}`,
    refuse: needs('comment'),
    run(exchange, parameters) {
      const pull = pullAt(setup, parameters.number);
      if (pull === undefined) return notFound();
      if (limits.refusedFor(exchange.account.login) !== undefined) return secondaryLimit();
      return run(pull, exchange, parameters);
    },
  });
  /** A comment of one of the two kinds, which the caller may change. */
  const own = (
    method: string,
    kind: 'issues' | 'pulls',
    run: (found: FoundComment, exchange: Exchange) => Answer,
  ): Route => ({
    method,
    path: `${repositoryPath}/${kind}/comments/{id}`,
    ...(method === 'GET' ? {} : { refuse: needs('comment') }),
    run(exchange, { id }) {
      const found = /^\d+$/.test(id ?? '') ? world.findComment(Number(id)) : undefined;
      if (found === undefined || (found.thread === undefined) !== (kind === 'issues')) return notFound();
      if (method !== 'GET' && !mayChange(found.comment, exchange)) return withoutRight(exchange.account);
      return run(found, exchange);
    },
  });
  const show = ({ pull, thread, comment }: FoundComment) =>
    thread === undefined ? bodies.issueComment(pull, comment) : bodies.reviewComment(pull, thread, comment);
  const edit = (found: FoundComment, { body: asked }: Exchange): Answer => {
    const { body } = asked as { body: string };
    const problem = bodyProblem(body);
    if (problem !== undefined) return validationFailed('IssueComment', problem);
    Object.assign(found.comment, { body, updatedAt: world.now() });
    return { status: 200, body: show(found) };
  };
  const remove = ({ comment }: FoundComment): Answer => {
    world.removeComment(comment.id);
    return { status: 204 };
  };
  const listOf = <Item>(
    path: string,
    items: (pull: Pull) => readonly Item[],
    shown: (pull: Pull, item: Item) => unknown,
  ): Route => ({
    method: 'GET',
    path: `${repositoryPath}${path}`,
    run(exchange, { number }) {
      const pull = pullAt(setup, number);
      return pull === undefined
        ? notFound()
        : list(setup, exchange, items(pull), (item) => shown(pull, item));
    },
  });

  return [
    listOf('/issues/{number}/comments', ({ comments }) => comments, bodies.issueComment),
    create('/issues/{number}/comments', (pull, { account, body: asked }) => {
      const { body } = asked as { body: string };
      const problem = bodyProblem(body);
      if (problem !== undefined) return validationFailed('IssueComment', problem);
      const comment = world.newComment(account.login, body);
      pull.comments.push(comment);
      pull.updatedAt = world.now();
      return { status: 201, body: bodies.issueComment(pull, comment) };
    }),
    ...(['issues', 'pulls'] as const).flatMap((kind) => [
      own('GET', kind, (found) => ({ status: 200, body: show(found) })),
      own('PATCH', kind, edit),
      own('DELETE', kind, remove),
    ]),
    listOf('/pulls/{number}/reviews', ({ reviews }) => reviews, bodies.review),
    create('/pulls/{number}/reviews', async (pull, exchange) => {
      const written = await writeReview(world, pull, exchange);
      return 'id' in written ? { status: 200, body: bodies.review(pull, written) } : written;
    }),
    listOf(
      '/pulls/{number}/comments',
      ({ threads }) => threads.flatMap((thread) => thread.comments.map((comment) => ({ thread, comment }))),
      (pull, { thread, comment }: { thread: Thread; comment: Comment }) =>
        bodies.reviewComment(pull, thread, comment),
    ),
    create('/pulls/{number}/comments/{id}/replies', (pull, { account, body: asked }, { id }) => {
      const { body } = asked as { body: string };
      const found = world.findComment(Number(id));
      if (found?.thread === undefined || found.pull !== pull) return notFound();
      // Only what began a thread can be answered.
      if (found.thread.comments[0] !== found.comment)
        return refusal(422, 'Validation Failed', {
          errors: [{ resource: 'PullRequestReviewComment', code: 'invalid', field: 'in_reply_to' }],
        });
      const problem = bodyProblem(body);
      if (problem !== undefined) return validationFailed('PullRequestReviewComment', problem);
      const comment = world.newComment(account.login, body);
      found.thread.comments.push(comment);
      pull.updatedAt = world.now();
      return { status: 201, body: bodies.reviewComment(pull, found.thread, comment) };
    }),
  ];

  function mayChange(comment: Comment, { account }: Exchange): boolean {
    const role = roleOf(account.login, setup);
    return account.isApp === true || comment.author === account.login || role === 'admin' || role === 'write';
  }
}
