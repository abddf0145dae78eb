// Pull requests, comments and reviews over Gitea's API. Lists that are cut say so by their total only, and never give more than fifty.
import { type HostSetup, roleOf } from '../host/host.js';
import { paged } from '../host/pages.js';
import type { Comment, Pull, Review, Thread } from '../host/records.js';
import type { Answer, Exchange, Parameters, Route } from '../host/request.js';
import type { FoundComment } from '../host/world.js';
import { narrowScope, notFound, refusal } from './refusals.js';
import { writeReview } from './write-review.js';

const repositoryPath = '/repos/{owner}/{name}';
const statuses = ['pending', 'success', 'error', 'failure', 'warning'];

export function giteaRoutes(setup: HostSetup): Route[] {
  const { world, url } = setup;
  const home = `${url}/${world.owner}/${world.name}`;
  const user = (login: string) => ({ id: login.length, login, full_name: '', username: login });
  type Run = (pull: Pull, exchange: Exchange, at: Parameters) => Answer | Promise<Answer>;
  const on = (method: string, path: string, run: Run): Route => ({
    method,
    path: `${repositoryPath}${path}`,
    run(exchange, at) {
      const pull = world.pulls.get(Number(at.number));
      if (pull === undefined) return notFound();
      if (method !== 'GET' && !exchange.account.rights.includes('comment'))
        return narrowScope('write:issue', 'write:repository');
      return run(pull, exchange, at);
    },
  });
  /** Some lists are linked, all of them are counted. */
  const list = (exchange: Exchange, all: readonly unknown[], isLinked = false): Answer => {
    const address = `${url}/api/v1${exchange.path}`;
    const page = paged(all, exchange, { size: 'limit', most: 50, usual: 30, address });
    const link: Record<string, string> = isLinked && page.link !== undefined ? { link: page.link } : {};
    return { status: 200, body: page.items, headers: { ...link, 'x-total-count': String(page.total) } };
  };
  const whole = (all: readonly unknown[]): Answer => ({
    status: 200,
    body: all,
    headers: { 'x-total-count': String(all.length) },
  });
  const comment = (pull: Pull, { id, body, author, createdAt, updatedAt }: Comment) => ({
    ...{ id, body, user: user(author) },
    html_url: `${home}/pulls/${pull.number}#issuecomment-${id}`,
    created_at: createdAt.toISOString(),
    updated_at: updatedAt.toISOString(),
  });
  const pullBody = async (pull: Pull) => ({
    ...{ id: pull.id, number: pull.number, title: pull.title, body: pull.description },
    user: user(pull.author),
    draft: pull.isDraft,
    state: pull.state === 'open' ? 'open' : 'closed',
    merged: pull.state === 'merged',
    merged_at: pull.state === 'merged' ? (pull.closedAt ?? pull.updatedAt).toISOString() : null,
    merge_commit_sha: pull.mergeCommit ?? null,
    merge_base: pull.mergeBase,
    html_url: `${home}/pulls/${pull.number}`,
    // The branch as it is now, not as it was when the head was pushed.
    base: side(pull.base.branch, (await world.tip(pull.base.branch)) ?? pull.base.commit, world.owner),
    head: side(pull.head.branch, pull.head.commit, pull.head.owner),
    updated_at: pull.updatedAt.toISOString(),
  });
  const side = (ref: string, sha: string, owner: string) => ({
    ...{ label: ref, ref, sha },
    repo: { full_name: `${owner}/${world.name}` },
  });
  const review = (pull: Pull, each: Review) => ({
    ...{ id: each.id, user: user(each.author), body: each.body, commit_id: each.commit },
    state:
      each.state === 'COMMENTED' ? 'COMMENT' : each.state === 'APPROVED' ? 'APPROVED' : 'REQUEST_CHANGES',
    stale: each.commit !== pull.head.commit,
    comments_count: threadsOf(pull, each).reduce((sum, { comments }) => sum + comments.length, 0),
    submitted_at: each.submittedAt.toISOString(),
  });
  const threadsOf = (pull: Pull, { id }: Review): Thread[] =>
    pull.threads.filter(({ reviewId }) => reviewId === id);
  const found = (exchange: Exchange, id: string | undefined): FoundComment | Answer => {
    const it = world.findComment(Number(id));
    if (it === undefined) return notFound();
    const role = roleOf(exchange.account.login, setup);
    const may = it.comment.author === exchange.account.login || role === 'admin' || role === 'write';
    if (exchange.method !== 'GET' && !exchange.account.rights.includes('comment'))
      return narrowScope('write:issue');
    return exchange.method === 'GET' || may ? it : { status: 403 };
  };

  return [
    {
      method: 'GET',
      path: '/user',
      run: ({ account }) => ({ status: 200, body: user(account.login) }),
    },
    {
      method: 'GET',
      path: `${repositoryPath}/pulls`,
      async run(exchange) {
        const state = exchange.query.get('state') ?? 'open';
        const pulls = [...world.pulls.values()].filter(
          (pull) => state === 'all' || (state === 'open') === (pull.state === 'open'),
        );
        const byTime = (pull: Pull) =>
          (exchange.query.get('sort') === 'recentupdate' ? pull.updatedAt : pull.createdAt).getTime();
        const sorted = pulls.toSorted(
          (left, right) => byTime(right) - byTime(left) || right.number - left.number,
        );
        return list(exchange, await Promise.all(sorted.map(pullBody)), true);
      },
    },
    {
      method: 'GET',
      path: `${repositoryPath}/pulls/{number}`,
      async run(_, { number = '' }) {
        const pull = world.pulls.get(Number(number.replace(/\.diff$/, '')));
        if (pull === undefined) return notFound();
        if (!number.endsWith('.diff')) return { status: 200, body: await pullBody(pull) };
        const args = [
          'diff',
          '--no-color',
          '--no-ext-diff',
          '--find-renames',
          pull.mergeBase,
          pull.head.commit,
        ];
        const headers = { 'content-type': 'text/plain; charset=utf-8' };
        return { status: 200, body: await world.repository.git(args), headers };
      },
    },
    on('PATCH', '/pulls/{number}', async (pull, { body }) => {
      const { body: description, title } = (body ?? {}) as { body?: string; title?: string };
      if (description !== undefined) pull.description = description;
      if (title !== undefined) pull.title = title;
      pull.updatedAt = world.now();
      return { status: 201, body: await pullBody(pull) };
    }),
    on('GET', '/issues/{number}/comments', (pull) => whole(pull.comments.map((each) => comment(pull, each)))),
    on('POST', '/issues/{number}/comments', (pull, { account, body: asked }) => {
      const { body } = (asked ?? {}) as { body?: unknown };
      if (typeof body !== 'string' || body === '') return refusal(422, '[Body]: Required');
      const made = world.newComment(account.login, body);
      pull.comments.push(made);
      pull.updatedAt = world.now();
      return { status: 201, body: comment(pull, made) };
    }),
    {
      method: 'PATCH',
      path: `${repositoryPath}/issues/comments/{id}`,
      run(exchange, { id }) {
        const it = found(exchange, id);
        if ('status' in it) return it;
        const { body } = (exchange.body ?? {}) as { body?: unknown };
        if (typeof body !== 'string' || body === '') return refusal(422, '[Body]: Required');
        Object.assign(it.comment, { body, updatedAt: world.now() });
        return { status: 200, body: comment(it.pull, it.comment) };
      },
    },
    {
      method: 'DELETE',
      path: `${repositoryPath}/issues/comments/{id}`,
      run(exchange, { id }) {
        const it = found(exchange, id);
        if ('status' in it) return it;
        // A remark on a line is no comment of this kind: it stays, and nothing is said.
        if (it.thread === undefined) world.removeComment(it.comment.id);
        return { status: 204 };
      },
    },
    {
      method: 'GET',
      path: `${repositoryPath}/issues/comments/{id}/reactions`,
      run(exchange, { id }) {
        const it = found(exchange, id);
        if ('status' in it) return it;
        // Nothing is an empty answer here, not an empty list.
        const reactions = it.comment.reactions.map(({ login, content }) => ({ user: user(login), content }));
        return { status: 200, body: reactions.length === 0 ? null : reactions };
      },
    },
    on('GET', '/pulls/{number}/reviews', (pull, exchange) =>
      list(
        exchange,
        pull.reviews.map((each) => review(pull, each)),
      ),
    ),
    on('POST', '/pulls/{number}/reviews', async (pull, exchange) => {
      const written = await writeReview(world, pull, exchange);
      return 'id' in written ? { status: 200, body: review(pull, written) } : written;
    }),
    on('GET', '/pulls/{number}/reviews/{id}/comments', (pull, _, { id }) => {
      const of = pull.reviews.find((each) => String(each.id) === id);
      if (of === undefined) return notFound();
      const rows: unknown[] = [];
      // Files come in no order.
      for (const thread of threadsOf(pull, of).toReversed()) {
        for (const each of thread.comments)
          rows.push({
            ...comment(pull, each),
            ...{ path: thread.path, pull_request_review_id: of.id, commit_id: thread.commit },
            position: thread.side === 'new' ? thread.line : 0,
            original_position: thread.side === 'old' ? thread.line : 0,
            diff_hunk: shortened(thread.hunk),
            resolver: thread.resolvedBy === undefined ? null : user(thread.resolvedBy),
          });
      }
      return whole(rows);
    }),
    on('DELETE', '/pulls/{number}/reviews/{id}', (pull, { account }, { id }) => {
      const of = pull.reviews.find((each) => String(each.id) === id);
      if (of === undefined) return notFound();
      if (of.author !== account.login && roleOf(account.login, setup) !== 'admin') return { status: 403 };
      pull.reviews = pull.reviews.filter((each) => each !== of);
      pull.threads = pull.threads.filter(({ reviewId }) => reviewId !== of.id);
      return { status: 204 };
    }),
    {
      method: 'POST',
      path: `${repositoryPath}/statuses/{commit}`,
      async run({ account, body }, { commit = '' }) {
        if (!account.rights.includes('status')) return narrowScope('write:repository');
        if ((await world.repository.commitOf(commit)) === undefined) return notFound();
        const { state = '', description = '', context = 'default' } = (body ?? {}) as Record<string, string>;
        if (!statuses.includes(state)) return refusal(422, 'invalid state');
        const status = { id: world.nextId(), commit, state, context, description, author: account.login };
        world.statuses.push(status);
        return { status: 201, body: { id: status.id, status: state, context, description } };
      },
    },
    {
      method: 'GET',
      path: `${repositoryPath}/collaborators/{login}/permission`,
      run({ account }, { login = '' }) {
        // Nobody but an administrator may ask for others.
        if (login !== account.login && roleOf(account.login, setup) !== 'admin')
          return refusal(403, 'Only admins can query all permissions');
        const role = roleOf(login, setup);
        if (role === undefined) return notFound();
        const permission = login === world.owner ? 'owner' : role;
        return { status: 200, body: { permission, role_name: permission, user: user(login) } };
      },
    },
  ];
}

const shownLines = 4;

/** Of what stands before the line only the nearest is shown. */
function shortened(hunk: string): string {
  const [head = '', ...lines] = hunk.split('\n');
  return [head, ...lines.slice(-shownLines)].join('\n');
}
