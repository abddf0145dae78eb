// Which repository and which pull request are meant? The address that was given, the variables of the CI system, or a remote of the clone.
import { readFile } from 'node:fs/promises';
import { GalleyError } from '../core/model/error.js';
import type { ForgeKind } from './forge.js';
import { type Host, notConfigured, sameHost } from './known-hosts.js';

export interface TargetSearch {
  /** Address or number of a pull request. */
  readonly asked?: string | undefined;
  readonly environment: NodeJS.ProcessEnv;
  /** Addresses that git fetches from, the most likely first. */
  remotes(): Promise<readonly string[]>;
}

export interface Target {
  readonly host: Host;
  readonly repository: string;
  readonly number?: number | undefined;
  readonly origin?: EventOrigin | undefined;
}

/** A workflow that ran for a fork names the branch and the commit it ran for, not the pull request. */
export interface EventOrigin {
  readonly commit: string;
  /** `owner:branch`. */
  readonly branch?: string | undefined;
}

export async function findTarget(search: TargetSearch, hosts: readonly Host[]): Promise<Target> {
  const { asked, environment } = search;
  const isNumber = asked !== undefined && /^#?!?\d{1,9}$/.test(asked);
  if (asked !== undefined && !isNumber) return fromAddress(asked, hosts);
  const number = isNumber ? Number(asked.replace(/\D/g, '')) : undefined;
  const found = (await fromCi(environment, hosts)) ?? (await fromRemotes(await search.remotes(), hosts));
  if (found === undefined)
    throw notConfigured(
      'no remote of this clone is on a host that is known here; give the address of the pull request, or set GH_HOST, GITLAB_HOST or GITEA_URL',
      'no-host',
    );
  return number === undefined ? found : { host: found.host, repository: found.repository, number };
}

const addresses: readonly { readonly kind: ForgeKind; readonly form: RegExp }[] = [
  { kind: 'github', form: /^\/([^/]+\/[^/]+)\/pull\/(\d{1,9})(?:\/.*)?$/ },
  { kind: 'gitea', form: /^\/([^/]+\/[^/]+)\/pulls\/(\d{1,9})(?:\/.*)?$/ },
  { kind: 'gitlab', form: /^\/(.+?)\/-\/merge_requests\/(\d{1,9})(?:\/.*)?$/ },
];

function fromAddress(asked: string, hosts: readonly Host[]): Target {
  const url = URL.canParse(asked) ? new URL(asked) : undefined;
  for (const { kind, form } of addresses) {
    const match = url === undefined ? null : form.exec(url.pathname);
    const host = hosts.find((each) => each.kind === kind && sameHost(each.server, asked));
    if (match === null) continue;
    if (host === undefined) throw notConfigured(unknownHost(kind), 'unknown-host');
    return { host, repository: decodeURIComponent(match[1]!), number: Number(match[2]) };
  }
  throw new GalleyError(
    'INVALID_ARGUMENT',
    'pull request: give its number or its address, for example 42 or https://github.com/owner/name/pull/42.',
    { details: { field: 'pull' } },
  );
}

function unknownHost(kind: ForgeKind): string {
  const variable = { github: 'GH_HOST', gitlab: 'GITLAB_HOST', gitea: 'GITEA_URL' }[kind];
  return `the address is on a host that no token is set for; set ${variable} to that host, and its token`;
}

/** What the CI system says; its variables are set by the host, never by a change. */
async function fromCi(environment: NodeJS.ProcessEnv, hosts: readonly Host[]): Promise<Target | undefined> {
  const { GITHUB_REPOSITORY: repository, GITHUB_SERVER_URL: server, GITHUB_EVENT_PATH: event } = environment;
  const { CI_PROJECT_PATH: project, CI_SERVER_URL: gitlabServer, CI_MERGE_REQUEST_IID: iid } = environment;
  if (repository !== undefined && server !== undefined) {
    const isGitea = environment.GITEA_ACTIONS !== undefined || environment.FORGEJO_ACTIONS !== undefined;
    const kind = isGitea ? 'gitea' : 'github';
    const host = hosts.find((each) => each.kind === kind && sameHost(each.server, server));
    return host === undefined ? undefined : { host, repository, ...(await readEvent(event)) };
  }
  if (project !== undefined && gitlabServer !== undefined) {
    const host = hosts.find((each) => each.kind === 'gitlab' && sameHost(each.server, gitlabServer));
    const number = /^\d{1,9}$/.test(iid ?? '') ? Number(iid) : undefined;
    return host === undefined ? undefined : { host, repository: project, number };
  }
  return undefined;
}

interface EventFacts {
  readonly number?: number;
  readonly origin?: EventOrigin;
}

async function readEvent(path: string | undefined): Promise<EventFacts> {
  if (path === undefined) return {};
  let event: unknown;
  try {
    event = JSON.parse(await readFile(path, 'utf8'));
  } catch (cause) {
    throw new GalleyError('FORGE_NOT_CONFIGURED', 'The event of this workflow cannot be read.', {
      details: { variable: 'GITHUB_EVENT_PATH' },
      cause,
    });
  }
  const { pull_request: pull, issue, workflow_run: run, number } = (event ?? {}) as Record<string, unknown>;
  const found = [
    numberOf(pull),
    // An issue is a pull request only where it says so.
    typeof issue === 'object' && issue !== null && 'pull_request' in issue ? numberOf(issue) : undefined,
    firstPull(run),
    typeof number === 'number' ? number : undefined,
  ].find((each) => each !== undefined);
  if (found !== undefined) return { number: found };
  const origin = originOf(run);
  return origin === undefined ? {} : { origin };
}

function originOf(run: unknown): EventOrigin | undefined {
  const { head_sha: commit, head_branch: branch, head_repository: repository } = Object(run) as RunEvent;
  if (typeof commit !== 'string' || !/^[0-9a-f]{40,64}$/.test(commit)) return undefined;
  const login = repository?.owner?.login;
  const isNamed = typeof branch === 'string' && typeof login === 'string';
  return { commit, ...(isNamed ? { branch: `${login}:${branch}` } : {}) };
}

interface RunEvent {
  readonly head_sha?: unknown;
  readonly head_branch?: unknown;
  readonly head_repository?: { readonly owner?: { readonly login?: unknown } | null } | null;
}

function numberOf(value: unknown): number | undefined {
  const { number } = (value ?? {}) as { number?: unknown };
  return typeof number === 'number' && Number.isSafeInteger(number) && number > 0 ? number : undefined;
}

function firstPull(run: unknown): number | undefined {
  const { pull_requests: pulls } = (run ?? {}) as { pull_requests?: unknown };
  return Array.isArray(pulls) && pulls.length === 1 ? numberOf(pulls[0]) : undefined;
}

async function fromRemotes(remotes: readonly string[], hosts: readonly Host[]): Promise<Target | undefined> {
  for (const remote of remotes) {
    // `git@host:owner/name.git` is an address, too.
    const address = /^[\w.-]+@([\w.-]+):(?!\/)(.+)$/.exec(remote);
    const text = address === null ? remote : `ssh://${address[1]}/${address[2]}`;
    if (!URL.canParse(text)) continue;
    const url = new URL(text);
    const host = hosts.find(({ server }) => isAt(url, new URL(server)));
    const repository = url.pathname.replace(/^\/+|\/+$|\.git\/?$/g, '');
    if (host !== undefined && repository.includes('/')) return { host, repository };
  }
  return undefined;
}

/** Over ssh a host has another port than its pages. */
function isAt(remote: URL, server: URL): boolean {
  return remote.protocol === 'ssh:' ? remote.hostname === server.hostname : remote.host === server.host;
}
