// Events as the host sends them: its own examples, with the facts of a pull request of the stand-in.
import { createRequire } from 'node:module';
import type { LoopbackForge } from '../../src/testing/forge/open-forge.js';

interface Example {
  readonly name: string;
  readonly examples: readonly Readonly<Record<string, object>>[];
}

const examples = createRequire(import.meta.url)(
  '@octokit/webhooks-examples/api.github.com/index.json',
) as readonly Example[];

function exampleOf(name: string, action: string): Readonly<Record<string, object>> {
  const found = examples
    .find((each) => each.name === name)
    ?.examples.find((each) => (each as { action?: unknown }).action === action);
  if (found === undefined) throw new TypeError(`no example of ${name}`);
  return found;
}

interface RestPull {
  readonly number: number;
  readonly head: { readonly ref: string; readonly sha: string; readonly repo: { readonly id: number } };
  readonly base: { readonly ref: string; readonly sha: string; readonly repo: { readonly id: number } };
}

export interface PullEvent extends Readonly<Record<string, unknown>> {
  readonly pull_request: RestPull;
  readonly repository: { readonly id: number };
}

export async function pullRequestEvent(
  forge: LoopbackForge,
  token: string,
  number: number,
): Promise<PullEvent> {
  const { GITHUB_API_URL: api, GITHUB_REPOSITORY: name } = forge.env;
  const answer = await fetch(`${api}/repos/${name}/pulls/${number}`, {
    headers: { authorization: `Bearer ${token}`, 'user-agent': 'test' },
  });
  const pull = (await answer.json()) as RestPull;
  const example = exampleOf('pull_request', 'opened');
  return {
    ...example,
    number,
    pull_request: { ...example.pull_request, ...pull },
    repository: { ...example.repository, ...pull.base.repo },
  };
}

/** Somebody has written below a pull request. */
export function commentEvent(
  { pull_request: pull, repository }: PullEvent,
  comment: { readonly body: string; readonly author: string; readonly association: string },
) {
  const example = exampleOf('issue_comment', 'created');
  return {
    ...example,
    repository: { ...repository, default_branch: pull.base.ref },
    issue: { ...example.issue, number: pull.number, pull_request: { url: '' } },
    comment: {
      ...example.comment,
      body: comment.body,
      author_association: comment.association,
      user: { ...(example.comment as { user: object }).user, login: comment.author },
    },
  };
}

/** Of a fork the event names no pull request. */
export function workflowRunEvent({ pull_request: pull, repository }: PullEvent, conclusion: string) {
  const example = exampleOf('workflow_run', 'completed');
  const isFork = pull.head.repo.id !== repository.id;
  const side = ({ ref, sha, repo }: RestPull['head']) => ({ ref, sha, repo: { id: repo.id } });
  return {
    ...example,
    repository,
    workflow_run: {
      ...example.workflow_run,
      name: 'Galley plan',
      event: 'pull_request',
      conclusion,
      head_branch: pull.head.ref,
      head_sha: pull.head.sha,
      head_repository: pull.head.repo,
      pull_requests: isFork ? [] : [{ number: pull.number, head: side(pull.head), base: side(pull.base) }],
    },
  };
}
