// Which hosts of pull requests may be asked from here, and whose token is each one's? Well-known ones, and those the environment names.
import { GalleyError } from '../core/model/error.js';
import type { ForgeKind } from './forge.js';

export interface Host {
  readonly kind: ForgeKind;
  /** Of the pages for people. */
  readonly server: string;
  readonly api: string;
  readonly graphql?: string;
  readonly tokenVariables: readonly string[];
}

/** What a token must be allowed to do and no more, in the words of each host. */
export const leastRights: Readonly<Record<ForgeKind, string>> = {
  github: 'contents: read, pull-requests: write, checks: write',
  gitlab: 'scope api, role Developer',
  gitea: 'read:repository, write:issue, write:repository',
};

export const forgeTitles: Readonly<Record<ForgeKind, string>> = {
  github: 'GitHub',
  gitlab: 'GitLab',
  gitea: 'Gitea',
};

/** Which programs keep a login, and how one logs in. */
export const loginPrograms: Readonly<Partial<Record<ForgeKind, string>>> = { github: 'gh', gitlab: 'glab' };

/** The hosts that a token in the environment is meant for: well-known ones, and those the environment itself names. */
export function knownHosts(environment: NodeJS.ProcessEnv): Host[] {
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

export function sameHost(one: string, other: string): boolean {
  return URL.canParse(one) && URL.canParse(other) && new URL(one).host === new URL(other).host;
}

export function noForge(): GalleyError {
  return notConfigured('this door reaches no host of pull requests', 'no-door');
}

export function notConfigured(says: string, reason: string, kind?: ForgeKind): GalleyError {
  const text =
    kind === undefined ? `${says[0]!.toUpperCase()}${says.slice(1)}` : `${forgeTitles[kind]}: ${says}`;
  const details = { reason, ...(kind === undefined ? {} : { forge: kind }) };
  return new GalleyError('FORGE_NOT_CONFIGURED', `${text}.`, { details });
}
