// Which host, which repository, which pull request, and whose token? From the address that was given, the variables of the CI system,
// or the remote of the clone. A token goes to the host it was set for and nowhere else, whatever a clone names as its remote.
import { readFile } from 'node:fs/promises';
import { GalleyError } from '../core/model/error.js';
import { outgoingFetch } from '../network/outgoing-fetch.js';
import type { Forge, ForgeKind } from './forge.js';
import { type ForgeFetch, forgeHttp } from './forge-http.js';
import { gitea } from './gitea.js';
import { github } from './github.js';
import { gitlab } from './gitlab.js';

export interface ForgeSearch {
  /** Address or number of a pull request. */
  readonly asked?: string | undefined;
  readonly environment: NodeJS.ProcessEnv;
  /** Addresses that git fetches from, the most likely first. */
  remotes(): Promise<readonly string[]>;
  /** The token the host's own program keeps for a host. */
  keptToken(kind: ForgeKind, host: string): Promise<string | undefined>;
  readonly signal?: AbortSignal | undefined;
  readonly fetch?: ForgeFetch | undefined;
  readonly sleep?: ((ms: number, signal?: AbortSignal) => Promise<unknown>) | undefined;
  /** For one call. */
  readonly timeoutMs?: number | undefined;
  readonly now?: (() => number) | undefined;
}

export interface FoundForge {
  readonly forge: Forge;
  /** Undefined where nothing names one: the branch tells. */
  readonly number: number | undefined;
  /** What an event is about, where it names no pull request. */
  readonly origin: EventOrigin | undefined;
  /** Where the token came from: a variable, or the host's own program. */
  readonly tokenFrom: string;
}

/** A workflow that ran for a fork names the branch and the commit it ran for, not the pull request. */
export interface EventOrigin {
  readonly commit: string;
  /** `owner:branch`. */
  readonly branch?: string | undefined;
}

interface Host {
  readonly kind: ForgeKind;
  /** Of the pages for people. */
  readonly server: string;
  readonly api: string;
  readonly graphql?: string;
  readonly tokenVariables: readonly string[];
}

interface Target {
  readonly host: Host;
  readonly repository: string;
  readonly number?: number | undefined;
  readonly origin?: EventOrigin | undefined;
}

export async function findForge(search: ForgeSearch): Promise<FoundForge> {
  const hosts = knownHosts(search.environment);
  const target = await findTarget(search, hosts);
  const { host, repository } = target;
  const token = await tokenFor(host, search);
  const { fetch = outgoingFetch(search.environment, 'FORGE_UNAVAILABLE') } = search;
  const connection = { title: titles[host.kind], tokenVariable: token.variable, ...search, fetch };
  const open = (baseUrl: string) =>
    forgeHttp({ ...connection, baseUrl, headers: authorization(host.kind, token.value) });
  const common = { repository, server: host.server, token: token.value };
  const forge =
    host.kind === 'github'
      ? github({ ...common, http: open(host.api), graphql: open(host.graphql ?? `${host.api}/graphql`) })
      : host.kind === 'gitlab'
        ? gitlab({ ...common, http: open(host.api) })
        : gitea({ ...common, http: open(host.api) });
  return { forge, number: target.number, origin: target.origin, tokenFrom: token.from };
}

/** What a token must be allowed to do and no more, in the words of each host. */
export const leastRights: Readonly<Record<ForgeKind, string>> = {
  github: 'contents: read, pull-requests: write, checks: write',
  gitlab: 'scope api, role Developer',
  gitea: 'read:repository, write:issue, write:repository',
};

const titles: Readonly<Record<ForgeKind, string>> = {
  github: 'GitHub',
  gitlab: 'GitLab',
  gitea: 'Gitea',
};

/** The hosts that a token in the environment is meant for: well-known ones, and those the environment itself names. */
function knownHosts(environment: NodeJS.ProcessEnv): Host[] {
  const set = (name: string) => environment[name]?.trim() || undefined;
  const inGitea = set('GITEA_ACTIONS') !== undefined || set('FORGEJO_ACTIONS') !== undefined;
  const inActions = set('GITHUB_ACTIONS') !== undefined;
  const giteaServer =
    set('GITEA_URL') ?? set('FORGEJO_URL') ?? (inGitea ? set('GITHUB_SERVER_URL') : undefined);
  const gitlabServer = set('CI_SERVER_URL') ?? addressOf(set('GITLAB_HOST'));
  const ownGithub = inActions && !inGitea ? set('GITHUB_SERVER_URL') : addressOf(set('GH_HOST'));
  const githubTokens = ['GALLEY_FORGE_TOKEN', 'GITHUB_TOKEN', 'GH_TOKEN'];
  const enterprise = (server: string): Host => ({
    kind: 'github',
    server,
    api: (inActions ? set('GITHUB_API_URL') : undefined) ?? `${server}/api/v3`,
    graphql: (inActions ? set('GITHUB_GRAPHQL_URL') : undefined) ?? `${server}/api/graphql`,
    tokenVariables: inActions
      ? githubTokens
      : ['GALLEY_FORGE_TOKEN', 'GH_ENTERPRISE_TOKEN', 'GITHUB_ENTERPRISE_TOKEN'],
  });
  const hosts: Host[] = [
    ...(ownGithub === undefined || sameHost(ownGithub, 'https://github.com') ? [] : [enterprise(ownGithub)]),
    {
      kind: 'github',
      server: 'https://github.com',
      api: 'https://api.github.com',
      tokenVariables: githubTokens,
    },
    ...(giteaServer === undefined ? [] : [giteaAt(giteaServer, inGitea)]),
    giteaAt('https://codeberg.org', false),
    ...(gitlabServer === undefined ? [] : [gitlabAt(gitlabServer, set('CI_API_V4_URL'))]),
    gitlabAt('https://gitlab.com', undefined),
  ];
  return hosts.map((host) => ({ ...host, server: host.server.replace(/\/+$/, '') }));
}

function giteaAt(server: string, inActions: boolean): Host {
  return {
    kind: 'gitea',
    server,
    api: `${server.replace(/\/+$/, '')}/api/v1`,
    tokenVariables: [
      'GALLEY_FORGE_TOKEN',
      'GITEA_TOKEN',
      'FORGEJO_TOKEN',
      ...(inActions ? ['GITHUB_TOKEN'] : []),
    ],
  };
}

function gitlabAt(server: string, api: string | undefined): Host {
  return {
    kind: 'gitlab',
    server,
    api: api ?? `${server.replace(/\/+$/, '')}/api/v4`,
    tokenVariables: ['GALLEY_FORGE_TOKEN', 'GITLAB_TOKEN'],
  };
}

/** A bare name of a host, as the hosts' own programs take it. */
function addressOf(name: string | undefined): string | undefined {
  if (name === undefined) return undefined;
  return /^https?:\/\//.test(name) ? name : `https://${name}`;
}

function sameHost(one: string, other: string): boolean {
  return URL.canParse(one) && URL.canParse(other) && new URL(one).host === new URL(other).host;
}

async function findTarget(search: ForgeSearch, hosts: readonly Host[]): Promise<Target> {
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

interface Token {
  readonly value: string;
  /** The variable it came from, or should come from. */
  readonly variable: string;
  readonly from: string;
}

/** Which programs keep a login, and how one logs in. */
export const loginPrograms: Readonly<Partial<Record<ForgeKind, string>>> = { github: 'gh', gitlab: 'glab' };

async function tokenFor(
  { kind, server, tokenVariables }: Host,
  { environment, keptToken }: ForgeSearch,
): Promise<Token> {
  const url = new URL(server);
  const isLoopback = url.hostname === 'localhost' || url.hostname === '127.0.0.1' || url.hostname === '[::1]';
  if (url.protocol !== 'https:' && !isLoopback)
    throw notConfigured('its address would send the token unencrypted; use https', 'unsafe', kind);
  const variable = tokenVariables.find((name) => (environment[name] ?? '').trim() !== '');
  const named = variable ?? tokenVariables[1] ?? 'GALLEY_FORGE_TOKEN';
  const value = variable === undefined ? await keptToken(kind, url.host) : environment[variable]!.trim();
  if (value === undefined) {
    const program = loginPrograms[kind];
    const login = program === undefined ? '' : ` or run ${program} auth login`;
    throw notConfigured(`no token is set; set ${named}${login}`, 'no-token', kind);
  }
  if (!/^[\x21-\x7e]+$/.test(value))
    throw notConfigured(`${named} holds characters that no token has; set it again`, 'malformed', kind);
  return { value, variable: named, from: variable ?? loginPrograms[kind] ?? named };
}

function authorization(kind: ForgeKind, token: string): Record<string, string> {
  if (kind === 'gitlab') return { 'private-token': token };
  if (kind === 'gitea') return { authorization: `token ${token}` };
  return {
    authorization: `Bearer ${token}`,
    accept: 'application/vnd.github+json',
    'x-github-api-version': '2022-11-28',
  };
}

export function noForge(): GalleyError {
  return notConfigured('this door reaches no host of pull requests', 'no-door');
}

function notConfigured(says: string, reason: string, kind?: ForgeKind): GalleyError {
  const text = kind === undefined ? `${says[0]!.toUpperCase()}${says.slice(1)}` : `${titles[kind]}: ${says}`;
  const details = { reason, ...(kind === undefined ? {} : { forge: kind }) };
  return new GalleyError('FORGE_NOT_CONFIGURED', `${text}.`, { details });
}
