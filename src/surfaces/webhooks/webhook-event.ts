// What a delivery is about: a head to be reviewed, a comment that calls us, or nothing for us. Nothing of it is believed but which
// pull request it is; what stands there is asked of the host when the job runs.

import type { IncomingHttpHeaders } from 'node:http';
import * as z from 'zod';
import { GalleyError } from '../../core/model/error.js';
import type { ForgeKind } from '../../forges/forge.js';
import { commandOf } from '../../review/pull/commands.js';

export interface WebhookJob {
  readonly operation: 'forge:review' | 'forge:answer';
  /** `owner/name`. */
  readonly repository: string;
  /** Whose jobs they are, at every server: host and repository, such as `github.com/acme/widgets`. */
  readonly project: string;
  /** Address of the pull request. */
  readonly pull: string;
  /** The same thing asked for twice is one job. */
  readonly key: string;
}

export type WebhookEvent =
  | WebhookJob
  | { readonly ignored: 'event' | 'action' | 'draft' | 'closed' | 'comment' };

const place = z.object({ full_name: z.string().max(500), html_url: z.string().max(2000) });
const commit = z.string().regex(/^[0-9a-f]{40,64}$/);
const number = z.int().positive();
const pullBody = z.object({
  number,
  state: z.string().optional(),
  draft: z.boolean().nullish(),
  title: z.string().nullish(),
  head: z.object({ sha: commit }),
});
const comment = z.object({ id: z.int(), body: z.string().nullish() });
const githubPull = z.object({
  action: z.string(),
  repository: place,
  pull_request: pullBody,
  changes: z.object({ title: z.object({ from: z.string() }).nullish() }).nullish(),
});
const githubComment = z.object({
  action: z.string(),
  repository: place,
  comment,
  issue: z.object({ number, pull_request: z.unknown().optional() }).optional(),
  pull_request: z.object({ number }).nullish(),
  is_pull: z.boolean().optional(),
});
const project = z.object({ path_with_namespace: z.string().max(500), web_url: z.string().max(2000) });
const gitlabMerge = z.object({
  project,
  object_attributes: z.object({
    iid: number,
    action: z.string().optional(),
    state: z.string().optional(),
    draft: z.boolean().nullish(),
    work_in_progress: z.boolean().nullish(),
    oldrev: z.string().nullish(),
    last_commit: z.object({ id: commit }),
  }),
  changes: z.object({ draft: z.object({ current: z.boolean() }).nullish() }).nullish(),
});
const gitlabNote = z.object({
  project,
  object_attributes: z.object({ id: z.int(), note: z.string(), noteable_type: z.string().nullish() }),
  merge_request: z.object({ iid: number }).nullish(),
});

export function readWebhook(kind: ForgeKind, headers: IncomingHttpHeaders, body: unknown): WebhookEvent {
  if (kind === 'gitlab') return readGitlab(String(headers['x-gitlab-event'] ?? ''), body);
  const event = headers[kind === 'github' ? 'x-github-event' : 'x-gitea-event'];
  return readGithub(kind, String(event ?? ''), body);
}

const githubActions: ReadonlySet<string> = new Set([
  ...['opened', 'synchronize', 'synchronized', 'reopened', 'ready_for_review'],
]);
/** How Gitea marks a draft, and how one ends there. */
const unfinished = /^\s*(?:wip:|\[wip\])/i;

function readGithub(kind: 'github' | 'gitea', event: string, body: unknown): WebhookEvent {
  switch (event) {
    case 'pull_request':
    case 'pull_request_sync': {
      const { action, repository, pull_request: pull, changes } = parsed(githubPull, body);
      const isDraft = pull.draft === true || (kind === 'gitea' && unfinished.test(pull.title ?? ''));
      const wasDraft = action === 'edited' && unfinished.test(changes?.title?.from ?? '');
      if (!githubActions.has(action) && !(kind === 'gitea' && wasDraft)) return { ignored: 'action' };
      if ((pull.state ?? 'open') !== 'open') return { ignored: 'closed' };
      if (isDraft) return { ignored: 'draft' };
      const target = targetOf(kind, repository.html_url, repository.full_name, pull.number);
      return { operation: 'forge:review', ...target, key: `${target.pull}@${pull.head.sha}` };
    }
    case 'issue_comment':
    case 'pull_request_comment':
    case 'pull_request_review_comment': {
      const {
        action,
        repository,
        comment: said,
        issue,
        pull_request: pull,
        ...rest
      } = parsed(githubComment, body);
      if (action !== 'created') return { ignored: 'action' };
      const isPull = event !== 'issue_comment' || rest.is_pull === true || Boolean(issue?.pull_request);
      const at = pull?.number ?? issue?.number;
      if (!isPull || at === undefined || commandOf(said.body ?? '') === undefined)
        return { ignored: 'comment' };
      const target = targetOf(kind, repository.html_url, repository.full_name, at);
      return { operation: 'forge:answer', ...target, key: `${target.pull}#${event}-${said.id}` };
    }
    default:
      return { ignored: 'event' };
  }
}

function readGitlab(event: string, body: unknown): WebhookEvent {
  if (event === 'Merge Request Hook') {
    const { project: at, object_attributes: merge, changes } = parsed(gitlabMerge, body);
    const { action = '', state = 'opened', oldrev } = merge;
    // An update is anything from a label to a push: only commits have an earlier revision.
    const isNews = oldrev !== undefined && oldrev !== null;
    const isReady = changes?.draft?.current === false;
    if (!(action === 'open' || action === 'reopen' || (action === 'update' && (isNews || isReady))))
      return { ignored: 'action' };
    if (state !== 'opened') return { ignored: 'closed' };
    if (merge.draft === true || merge.work_in_progress === true) return { ignored: 'draft' };
    const target = targetOf('gitlab', at.web_url, at.path_with_namespace, merge.iid);
    return { operation: 'forge:review', ...target, key: `${target.pull}@${merge.last_commit.id}` };
  }
  if (event !== 'Note Hook') return { ignored: 'event' };
  const { project: at, object_attributes: note, merge_request: merge } = parsed(gitlabNote, body);
  if (merge === undefined || merge === null || commandOf(note.note) === undefined)
    return { ignored: 'comment' };
  const target = targetOf('gitlab', at.web_url, at.path_with_namespace, merge.iid);
  return { operation: 'forge:answer', ...target, key: `${target.pull}#note-${note.id}` };
}

const pages: Readonly<Record<ForgeKind, string>> = {
  github: 'pull',
  gitlab: '-/merge_requests',
  gitea: 'pulls',
};

/** The address must be that of the repository which is named: the list of those that are served goes by the name. */
function targetOf(kind: ForgeKind, url: string, repository: string, at: number) {
  const page = url.replace(/\/+$/, '');
  const isPlain = /^[\w.-]+(?:\/[\w.-]+)+$/.test(repository) && !/(?:^|\/)\.{1,2}(?:\/|$)/.test(repository);
  if (!isPlain || !URL.canParse(page) || !new URL(page).pathname.endsWith(`/${repository}`))
    throw invalid('repository');
  // Hosts write the name of a repository as it was typed once, or as it is called now.
  const project = `${new URL(page).host}/${repository}`.toLowerCase();
  return { repository, project, pull: `${page}/${pages[kind]}/${at}` };
}

function parsed<Schema extends z.ZodType>(schema: Schema, body: unknown): z.output<Schema> {
  const read = schema.safeParse(body);
  if (read.success) return read.data;
  throw invalid(read.error.issues[0]?.path.join('.') || 'body');
}

function invalid(field: string): GalleyError {
  return new GalleyError('INVALID_ARGUMENT', `${field}: is not what this host sends.`, {
    details: { field },
  });
}
