// Merge requests, statuses of commits, and people, over GitLab's API.
import { type HostSetup, roleOf } from '../host/host.js';
import { pageAnswer, paged } from '../host/pages.js';
import type { Pull } from '../host/records.js';
import type { Answer, Exchange, Route } from '../host/request.js';
import { type bodies, projectId, userId } from './bodies.js';
import { narrowScope, notFound, refusal } from './refusals.js';

const projectPath = '/projects/{project}';
export const mergeRequestPath = `${projectPath}/merge_requests/{iid}`;

export interface ApiSetup extends HostSetup {
  readonly api: string;
  readonly bodies: ReturnType<typeof bodies>;
}

export function list<Item>(
  { api }: ApiSetup,
  exchange: Exchange,
  all: readonly Item[],
  show: (item: Item) => unknown,
): Answer {
  const address = `${api}${exchange.path}`;
  const page = paged(all, exchange, { size: 'per_page', most: 100, usual: 20, address });
  const { headers, ...answer } = pageAnswer(page.items.map(show), page);
  return {
    ...answer,
    headers: {
      ...headers,
      'x-page': String(page.page),
      'x-per-page': String(page.size),
      'x-next-page': page.page < page.pages ? String(page.page + 1) : '',
      'x-total': String(page.total),
      'x-total-pages': String(page.pages),
    },
  };
}

export function pullAt({ world }: HostSetup, iid: string | undefined): Pull | undefined {
  return /^[1-9]\d*$/.test(iid ?? '') ? world.pulls.get(Number(iid)) : undefined;
}

const levels = { none: 0, read: 20, write: 30, admin: 40 } as const;
const states = ['pending', 'running', 'success', 'failed', 'canceled', 'skipped'];

export function mergeRequestRoutes(setup: ApiSetup): Route[] {
  const { world, bodies } = setup;
  const byUpdate = (pulls: readonly Pull[]) =>
    pulls.toSorted(
      (left, right) => right.updatedAt.getTime() - left.updatedAt.getTime() || right.number - left.number,
    );
  const people = () => [
    ...new Set([
      ...Object.keys(setup.roles),
      ...Object.values(setup.accounts).map(({ login }) => login),
      ...[...world.pulls.values()].flatMap(({ author, comments }) => [
        author,
        ...comments.map((comment) => comment.author),
      ]),
    ]),
  ];
  return [
    {
      method: 'GET',
      path: '/user',
      run: ({ account }) => ({
        status: 200,
        body: { ...bodies.user(account.login), bot: account.isApp === true },
      }),
    },
    {
      method: 'GET',
      path: '/users',
      run(exchange) {
        const name = exchange.query.get('username')?.toLowerCase();
        const found = people().filter((login) => login.toLowerCase() === name);
        return list(setup, exchange, found, bodies.user);
      },
    },
    {
      method: 'GET',
      path: `${projectPath}/members/all/{id}`,
      run(_, { id }) {
        const login = people().find((each) => String(userId(each)) === id);
        const role = login === undefined ? undefined : roleOf(login, setup);
        if (login === undefined || role === undefined || role === 'none') return notFound();
        return { status: 200, body: { ...bodies.user(login), access_level: levels[role] } };
      },
    },
    {
      method: 'GET',
      path: `${projectPath}/merge_requests`,
      run(exchange) {
        const { query } = exchange;
        const state = query.get('state') ?? 'all';
        const found = [...world.pulls.values()].filter(
          (pull) =>
            (state === 'all' || state === bodies.listed(pull).state) &&
            (query.get('source_branch') ?? pull.head.branch) === pull.head.branch,
        );
        return list(setup, exchange, byUpdate(found), bodies.listed);
      },
    },
    {
      method: 'GET',
      path: mergeRequestPath,
      run(_, { iid }) {
        const pull = pullAt(setup, iid);
        if (pull === undefined) return notFound();
        return { status: 200, body: { ...bodies.listed(pull), ...bodies.refs(pull) } };
      },
    },
    {
      method: 'PUT',
      path: mergeRequestPath,
      run({ account, body }, { iid }) {
        const pull = pullAt(setup, iid);
        if (pull === undefined) return notFound();
        if (!account.rights.includes('comment')) return narrowScope('api');
        const { description } = (body ?? {}) as { description?: unknown };
        if (typeof description !== 'string') return refusal(400, 'description is missing');
        Object.assign(pull, { description, updatedAt: world.now() });
        return { status: 200, body: { ...bodies.listed(pull), ...bodies.refs(pull) } };
      },
    },
    {
      method: 'GET',
      path: `${mergeRequestPath}/closes_issues`,
      run(exchange, { iid }) {
        const pull = pullAt(setup, iid);
        if (pull === undefined) return notFound();
        return list(setup, exchange, pull.closes, ({ number, title, text }) => ({
          ...{ id: number, iid: number, project_id: projectId, title },
          description: text === '' ? null : text,
        }));
      },
    },
    {
      method: 'GET',
      path: `${projectPath}/repository/commits/{commit}/merge_requests`,
      async run(exchange, { commit = '' }) {
        const found = await world.repository.commitOf(commit);
        if (found === undefined) return notFound('Commit');
        const pulls: Pull[] = [];
        for (const pull of world.pulls.values())
          if (
            (await world.repository.isAncestor(found, pull.head.commit)) &&
            !(await world.repository.isAncestor(found, pull.mergeBase))
          )
            pulls.push(pull);
        return list(setup, exchange, byUpdate(pulls), bodies.listed);
      },
    },
    {
      method: 'POST',
      path: `${projectPath}/statuses/{commit}`,
      async run({ account, body }, { commit = '' }) {
        if (!account.rights.includes('status')) return narrowScope('api');
        const found = await world.repository.commitOf(commit);
        if (found === undefined || found !== commit) return notFound('Commit');
        // A status belongs to a branch of the project, which the head of a fork is not on.
        const branches = await world.repository.git(['for-each-ref', '--contains', commit, 'refs/heads']);
        if (branches === '') return notFound('References for commit');
        const { state, description = '', name = 'default' } = (body ?? {}) as Record<string, string>;
        if (state === undefined || !states.includes(state))
          return refusal(400, 'state does not have a valid value');
        if (description.length > 255)
          return refusal(400, 'description is too long (maximum is 255 characters)');
        const status = {
          id: world.nextId(),
          commit,
          state,
          context: name,
          description,
          author: account.login,
        };
        world.statuses.push(status);
        return { status: 201, body: { ...{ id: status.id, sha: commit, status: state, name, description } } };
      },
    },
  ];
}
