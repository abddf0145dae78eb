// The host of a pull request, opened with the token that was set for it. A token goes to that host and nowhere else, whatever a
// clone names as its remote.
import { outgoingFetch } from '../network/outgoing-fetch.js';
import { type EventOrigin, findTarget, type TargetSearch } from './find-target.js';
import type { Forge, ForgeKind } from './forge.js';
import { type ForgeFetch, forgeHttp } from './forge-http.js';
import { gitea } from './gitea.js';
import { github } from './github.js';
import { gitlab } from './gitlab.js';
import { forgeTitles, type Host, knownHosts, loginPrograms, notConfigured } from './known-hosts.js';

export interface ForgeSearch extends TargetSearch {
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

export async function findForge(search: ForgeSearch): Promise<FoundForge> {
  const hosts = knownHosts(search.environment);
  const target = await findTarget(search, hosts);
  const { host, repository } = target;
  const token = await tokenFor(host, search);
  const { fetch = outgoingFetch(search.environment, 'FORGE_UNAVAILABLE') } = search;
  const connection = { title: forgeTitles[host.kind], tokenVariable: token.variable, ...search, fetch };
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

interface Token {
  readonly value: string;
  /** The variable it came from, or should come from. */
  readonly variable: string;
  readonly from: string;
}

type TokenSearch = Pick<ForgeSearch, 'environment' | 'keptToken'>;

/** What is set for a host, or kept by its own program. */
export async function foundToken(
  { kind, server, tokenVariables }: Host,
  { environment, keptToken }: TokenSearch,
): Promise<{ readonly variable: string | undefined; readonly value: string | undefined }> {
  const variable = tokenVariables.find((name) => (environment[name] ?? '').trim() !== '');
  const value =
    variable === undefined ? await keptToken(kind, new URL(server).host) : environment[variable]!.trim();
  return { variable, value };
}

async function tokenFor(host: Host, search: TokenSearch): Promise<Token> {
  const { kind, server, tokenVariables } = host;
  const url = new URL(server);
  const isLoopback = url.hostname === 'localhost' || url.hostname === '127.0.0.1' || url.hostname === '[::1]';
  if (url.protocol !== 'https:' && !isLoopback)
    throw notConfigured('its address would send the token unencrypted; use https', 'unsafe', kind);
  const { variable, value } = await foundToken(host, search);
  const named = variable ?? tokenVariables[1] ?? 'GALLEY_FORGE_TOKEN';
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
