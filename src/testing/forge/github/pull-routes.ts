// Pull requests and who may do what, over GitHub's REST API.
import { type HostSetup, roleOf } from '../host/host.js';
import { pageAnswer, paged } from '../host/pages.js';
import type { Pull } from '../host/records.js';
import type { Answer, Exchange, Route } from '../host/request.js';
import type { Bodies } from './bodies.js';
import { bodyProblem, needs, notFound, refusal, validationFailed } from './refusals.js';

export const repositoryPath = '/repos/{owner}/{name}';

export interface RestSetup extends HostSetup {
  readonly api: string;
  readonly bodies: Bodies;
}

/** One page of a list. */
export function list<Item>(
  setup: RestSetup,
  exchange: Exchange,
  all: readonly Item[],
  show: (item: Item) => unknown,
): Answer {
  const address = `${setup.api}${exchange.path}`;
  const page = paged(all, exchange, { size: 'per_page', most: 100, usual: 30, address });
  return pageAnswer(page.items.map(show), page);
}

export function pullAt({ world }: HostSetup, number: string | undefined): Pull | undefined {
  return /^[1-9]\d*$/.test(number ?? '') ? world.pulls.get(Number(number)) : undefined;
}

export function pullRoutes(setup: RestSetup): Route[] {
  const { world, bodies } = setup;
  const newestFirst = (pulls: readonly Pull[]) => pulls.toSorted((left, right) => right.number - left.number);
  return [
    {
      method: 'GET',
      path: `${repositoryPath}/pulls`,
      run(exchange) {
        const { query } = exchange;
        const state = query.get('state') ?? 'open';
        const head = query.get('head');
        const found = [...world.pulls.values()].filter(
          (pull) =>
            (state === 'all' || (state === 'open') === (pull.state === 'open')) &&
            // A head without an owner is no filter at all.
            (head === null || !head.includes(':') || head === `${pull.head.owner}:${pull.head.branch}`) &&
            (query.get('base') ?? pull.base.branch) === pull.base.branch,
        );
        return list(setup, exchange, newestFirst(found), bodies.pull);
      },
    },
    {
      method: 'GET',
      path: `${repositoryPath}/pulls/{number}`,
      async run(_, { number }) {
        const pull = pullAt(setup, number);
        return pull === undefined ? notFound() : { status: 200, body: await bodies.wholePull(pull) };
      },
    },
    {
      method: 'PATCH',
      path: `${repositoryPath}/pulls/{number}`,
      refuse: needs('comment'),
      async run({ body }, { number }) {
        const pull = pullAt(setup, number);
        if (pull === undefined) return notFound();
        const { title, body: description } = body as { title?: string; body?: string };
        if (typeof description === 'string' && description !== '' && bodyProblem(description) !== undefined)
          return validationFailed('PullRequest', bodyProblem(description)!);
        if (title !== undefined) pull.title = title;
        if (description !== undefined) pull.description = description;
        pull.updatedAt = world.now();
        return { status: 200, body: await bodies.wholePull(pull) };
      },
    },
    {
      method: 'GET',
      path: `${repositoryPath}/commits/{commit}/pulls`,
      async run(exchange, { commit = '' }) {
        const found = await world.repository.commitOf(commit);
        if (found === undefined) return refusal(422, `No commit found for SHA: ${commit}`);
        const pulls: Pull[] = [];
        for (const pull of world.pulls.values()) {
          // A commit that only a fork has is nobody's here, even where its pull request is.
          const isHere = pull.head.owner === world.owner || pull.state === 'merged';
          if (isHere && pull.state !== 'closed' && (await hasCommit(pull, found))) pulls.push(pull);
        }
        return list(setup, exchange, newestFirst(pulls), bodies.pull);
      },
    },
    {
      method: 'GET',
      path: `${repositoryPath}/collaborators/{login}/permission`,
      run(_, { login = '' }) {
        const role = roleOf(login, setup);
        if (role === undefined) return refusal(404, `${login} is not a user`);
        // Anybody may read a public repository.
        const permission = role === 'none' ? 'read' : role;
        const user = { ...bodies.user(login), role_name: permission };
        return { status: 200, body: { permission, role_name: permission, user } };
      },
    },
  ];

  async function hasCommit({ head, mergeBase }: Pull, commit: string): Promise<boolean> {
    const { repository } = world;
    return (
      (await repository.isAncestor(commit, head.commit)) && !(await repository.isAncestor(commit, mergeBase))
    );
  }
}
