// People and repositories as GitHub's REST API shows them, with the address of everything that belongs to them.

export interface Addresses {
  /** Of the pages for people. */
  readonly url: string;
  readonly api: string;
}

const ofUser = {
  followers_url: '/followers',
  following_url: '/following{/other_user}',
  gists_url: '/gists{/gist_id}',
  starred_url: '/starred{/owner}{/repo}',
  subscriptions_url: '/subscriptions',
  organizations_url: '/orgs',
  repos_url: '/repos',
  events_url: '/events{/privacy}',
  received_events_url: '/received_events',
};

const ofRepository = {
  archive_url: '/{archive_format}{/ref}',
  assignees_url: '/assignees{/user}',
  blobs_url: '/git/blobs{/sha}',
  branches_url: '/branches{/branch}',
  collaborators_url: '/collaborators{/collaborator}',
  comments_url: '/comments{/number}',
  commits_url: '/commits{/sha}',
  compare_url: '/compare/{base}...{head}',
  contents_url: '/contents/{+path}',
  contributors_url: '/contributors',
  deployments_url: '/deployments',
  downloads_url: '/downloads',
  events_url: '/events',
  forks_url: '/forks',
  git_commits_url: '/git/commits{/sha}',
  git_refs_url: '/git/refs{/sha}',
  git_tags_url: '/git/tags{/sha}',
  hooks_url: '/hooks',
  issue_comment_url: '/issues/comments{/number}',
  issue_events_url: '/issues/events{/number}',
  issues_url: '/issues{/number}',
  keys_url: '/keys{/key_id}',
  labels_url: '/labels{/name}',
  languages_url: '/languages',
  merges_url: '/merges',
  milestones_url: '/milestones{/number}',
  notifications_url: '/notifications{?since,all,participating}',
  pulls_url: '/pulls{/number}',
  releases_url: '/releases{/id}',
  stargazers_url: '/stargazers',
  statuses_url: '/statuses/{sha}',
  subscribers_url: '/subscribers',
  subscription_url: '/subscription',
  tags_url: '/tags',
  teams_url: '/teams',
  trees_url: '/git/trees{/sha}',
};

export function userBody(login: string, { url, api }: Addresses) {
  const name = encodeURIComponent(login);
  const address = `${api}/users/${name}`;
  return {
    login,
    id: numberFor(login),
    node_id: nodeId('U', numberFor(login)),
    avatar_url: `${url}/avatars/${name}`,
    gravatar_id: '',
    url: address,
    html_url: `${url}/${name}`,
    ...under(address, ofUser),
    type: isBot(login) ? 'Bot' : 'User',
    site_admin: false,
  };
}

export function repositoryBody(full: { owner: string; name: string; isFork: boolean }, addresses: Addresses) {
  const { owner, name, isFork } = full;
  const home = `${addresses.url}/${owner}/${name}`;
  const url = `${addresses.api}/repos/${owner}/${name}`;
  const zero = Object.fromEntries(
    [
      'forks',
      'forks_count',
      'open_issues',
      'open_issues_count',
      'size',
      'stargazers_count',
      'watchers',
      'watchers_count',
    ].map((count) => [count, 0]),
  );
  return {
    id: numberFor(`${owner}/${name}`),
    node_id: nodeId('R', numberFor(`${owner}/${name}`)),
    name,
    full_name: `${owner}/${name}`,
    owner: userBody(owner, addresses),
    private: false,
    fork: isFork,
    ...under(url, ofRepository),
    ...{ url, html_url: home },
    ...{ clone_url: `${home}.git`, git_url: `${home}.git`, ssh_url: `${home}.git`, svn_url: home },
    ...{ description: null, homepage: null, language: null, license: null, mirror_url: null },
    ...{ pushed_at: null, created_at: null, updated_at: null },
    ...zero,
    default_branch: 'main',
    ...{ has_downloads: true, has_issues: true, has_pages: false, has_projects: false, has_wiki: false },
    ...{ archived: false, disabled: false },
  };
}

function under(address: string, parts: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(Object.entries(parts).map(([name, part]) => [name, `${address}${part}`]));
}

export function nodeId(kind: string, id: number): string {
  return `${kind}_${Buffer.from(`loopback${id}`).toString('base64url')}`;
}

export function isBot(login: string): boolean {
  return login.endsWith('[bot]');
}

export function stamp(date: Date): string {
  return date.toISOString().replace(/\.\d+Z$/, 'Z');
}

function numberFor(text: string): number {
  let sum = 7;
  for (const letter of text) sum = (sum * 31 + letter.codePointAt(0)!) % 100_000_007;
  return sum;
}
