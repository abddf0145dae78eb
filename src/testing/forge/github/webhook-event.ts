// What GitHub hands to a workflow: an event as GitHub writes it, from a real example, with what this forge knows in the place of its
// numbers, commits and names.
import { readFile } from 'node:fs/promises';
import { GalleyError } from '../../../core/model/error.js';
import type { AskedEvent } from '../host/host.js';
import { packageData } from '../host/package-data.js';
import type { Pull } from '../host/records.js';
import type { World } from '../host/world.js';
import type { Bodies } from './bodies.js';

type Payload = Record<string, unknown>;

const usual = {
  pull_request: 'synchronize',
  issue_comment: 'created',
  pull_request_review_comment: 'created',
  workflow_run: 'completed',
} as const;

let loading: Promise<readonly { readonly name: string; readonly examples: readonly Payload[] }[]> | undefined;

async function exampleOf(name: string, action: string): Promise<Payload> {
  loading ??= packageData('@octokit/webhooks-examples', 'api.github.com/index.json').then(async (path) =>
    JSON.parse(await readFile(path, 'utf8')),
  );
  const found = (await loading)
    .find((event) => event.name === name)
    ?.examples.find((example) => example.action === action);
  if (found === undefined) throw new GalleyError('INVALID_ARGUMENT', 'GitHub has no such event.');
  return structuredClone(found);
}

export async function webhookEvent(world: World, bodies: Bodies, asked: AskedEvent): Promise<Payload> {
  const { name, number, action = usual[name] } = asked;
  const pull = world.pulls.get(number);
  const found = asked.comment === undefined ? undefined : world.findComment(asked.comment);
  if (pull === undefined || (name.endsWith('_comment') && found?.pull !== pull))
    throw new GalleyError('INVALID_ARGUMENT', 'There is no such pull request or comment.');
  const example = await exampleOf(name, action);
  const { organization: _, installation: __, ...rest } = example;
  const merged = (part: string, own: object) => ({ ...(rest[part] as object | undefined), ...own });
  const sender = asked.sender ?? found?.comment.author ?? pull.author;
  const common = {
    ...rest,
    action,
    repository: merged('repository', bodies.repository(world.owner)),
    sender: merged('sender', bodies.user(sender)),
  };
  switch (name) {
    case 'pull_request': {
      const before = pull.pushes.at(-1)?.before ?? pull.mergeBase;
      const moved = action === 'synchronize' ? { before, after: pull.head.commit } : {};
      return {
        ...common,
        number,
        ...moved,
        pull_request: merged('pull_request', await bodies.wholePull(pull)),
      };
    }
    case 'issue_comment': {
      const comment = merged('comment', bodies.issueComment(pull, found!.comment));
      return { ...common, issue: merged('issue', issueOf(pull)), comment };
    }
    case 'pull_request_review_comment': {
      if (found!.thread === undefined)
        throw new GalleyError('INVALID_ARGUMENT', 'That comment stands on no line.');
      const comment = merged('comment', bodies.reviewComment(pull, found!.thread, found!.comment));
      return { ...common, comment, pull_request: merged('pull_request', bodies.pull(pull)) };
    }
    case 'workflow_run':
      return { ...common, workflow_run: merged('workflow_run', runOf(pull)) };
  }

  function issueOf({ title, description, author, state }: Pull) {
    const { url, html_url: html, diff_url: diff, patch_url: patch } = bodies.pull(pull!);
    return {
      ...{ number, title, body: description, user: bodies.user(author), html_url: html },
      state: state === 'open' ? 'open' : 'closed',
      pull_request: { url, html_url: html, diff_url: diff, patch_url: patch },
    };
  }

  /** Where the head lies in a fork, the run does not say which pull request it was for. */
  function runOf({ id, head, base }: Pull) {
    const { url } = bodies.pull(pull!);
    const side = (owner: string, ref: string, sha: string) => {
      const { id: of, url: at, name: called } = bodies.repository(owner);
      return { ref, sha, repo: { id: of, url: at, name: called } };
    };
    const named = {
      ...{ id, number, url },
      head: side(head.owner, head.branch, head.commit),
      base: side(world.owner, base.branch, base.commit),
    };
    return {
      ...{ event: 'pull_request', status: 'completed', conclusion: 'success' },
      ...{ head_branch: head.branch, head_sha: head.commit },
      repository: bodies.repository(world.owner),
      head_repository: bodies.repository(head.owner),
      pull_requests: head.owner === world.owner ? [named] : [],
    };
  }
}
