// GitHub, GitLab, or Gitea and Forgejo on this machine, for tests: real repositories over git's own protocol, the API by the host's
// own rules, people who act on cue, and everything that can go wrong on the way.
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { GalleyError } from '../../core/model/error.js';
import type { ForgeKind } from '../../forges/forge.js';
import { makeTempFolder, removeTempFolder } from '../../temp/temp-folder.js';
import { giteaHost } from './gitea/gitea-host.js';
import { githubHost } from './github/github-host.js';
import { discussionId } from './gitlab/bodies.js';
import { gitlabHost } from './gitlab/gitlab-host.js';
import { type Account, everyRight, type Right, type Role } from './host/accounts.js';
import { bareRepository } from './host/bare-repository.js';
import { everyNth, type Fault, type Faults } from './host/faults.js';
import type { AskedEvent, Host, HostSetup } from './host/host.js';
import type { CheckRun, Status } from './host/records.js';
import type { ForgeRequest } from './host/request.js';
import {
  type ForgeScript,
  forgeScript,
  type Person,
  type ScriptedCommit,
  type ScriptedPull,
  type ScriptedPush,
} from './host/script.js';
import { type PullView, viewPull } from './host/view.js';
import { createWorld } from './host/world.js';
import { serveForge } from './serve-forge.js';

export type {
  Account,
  AskedEvent,
  Fault,
  Faults,
  ForgeRequest,
  ForgeScript,
  Person,
  PullView,
  Right,
  Role,
  ScriptedCommit,
  ScriptedPull,
  ScriptedPush,
};
export { everyNth, everyRight };

export interface ForgeOptions {
  readonly kind: ForgeKind;
  /** `owner/name`. */
  readonly repository: string;
  /** By their tokens; the first one is that of `env`. One that may do everything when left out. */
  readonly accounts?: Readonly<Record<string, Account>>;
  /** What further people may do with the repository. */
  readonly roles?: Readonly<Record<string, Role>>;
  /** Milliseconds. Time stands still when left out, but for `advance`. */
  readonly clock?: () => number;
  /** `false`: git gives out only what has a name. */
  readonly anyCommit?: boolean;
}

export interface LoopbackForge extends ForgeScript {
  readonly kind: ForgeKind;
  readonly url: string;
  readonly apiUrl: string;
  /** As in the host's own CI, with the token of the first account. */
  readonly env: Readonly<Record<string, string>>;
  envOf(token: string): Readonly<Record<string, string>>;
  readonly gitDirectory: string;
  /** In the order they came. */
  readonly requests: readonly ForgeRequest[];
  readonly statuses: readonly Status[];
  readonly checkRuns: readonly CheckRun[];
  /** Everything on a pull request as it is now. */
  pull(number: number): PullView;
  /** From the next request on, which is the first again. */
  fail(faults: Faults | undefined): void;
  advance(ms: number): void;
  /** Writes an event for a workflow, and gives the variables that name it; GitHub only. */
  event(asked: AskedEvent): Promise<Readonly<Record<string, string>>>;
  /** Commits that no name leads to are gone, as some time after a forced push. */
  forgetUnreachable(): Promise<void>;
  /** Rejects where the stand-in itself was found to be wrong. */
  close(): Promise<void>;
}

interface HostKind {
  readonly host: (setup: HostSetup) => Host;
  /** Of those who bring none. */
  readonly account: Account;
  headRef(number: number): string;
  threadId(id: number): string;
  readonly closesWithBranch: boolean;
}

const kinds: Readonly<Record<ForgeKind, HostKind>> = {
  github: {
    host: githubHost,
    account: { login: 'github-actions[bot]', isApp: true, rights: everyRight },
    headRef: (number) => `refs/pull/${number}/head`,
    threadId: (id) => `PRRT_${Buffer.from(`loopback${id}`).toString('base64url')}`,
    closesWithBranch: true,
  },
  gitlab: {
    host: gitlabHost,
    account: { login: 'project_4711_bot', isApp: true, rights: everyRight },
    headRef: (number) => `refs/merge-requests/${number}/head`,
    threadId: discussionId,
    closesWithBranch: false,
  },
  gitea: {
    host: giteaHost,
    account: { login: 'review-bot', rights: everyRight },
    headRef: (number) => `refs/pull/${number}/head`,
    threadId: String,
    closesWithBranch: true,
  },
};

const start = Date.UTC(2026, 0, 5, 9);

export async function openForge(options: ForgeOptions): Promise<LoopbackForge> {
  const { kind, repository: fullName, anyCommit = true } = options;
  const rules = kinds[kind];
  const accounts = options.accounts ?? { 'loopback-token': rules.account };
  const [firstToken = ''] = Object.keys(accounts);
  let offset = 0;
  const now = () => (options.clock?.() ?? start) + offset;
  const root = makeTempFolder('git');
  const repository = await bareRepository(root, { name: fullName, anyCommit });
  const world = createWorld({ repository, fullName, now, ...rules });
  const defects: string[] = [];
  let events = 0;
  let last: Promise<unknown> = Promise.resolve();
  /** One thing at a time, in the order of arrival, as if in one transaction each. */
  const queued = <Result>(run: () => Result | Promise<Result>): Promise<Result> => {
    const result = last.then(run);
    last = result.catch(() => {});
    return result;
  };

  const defect = (text: string) => void defects.push(text);
  const served = await serveForge({
    ...{ accounts, queued, defect },
    git: { root, gitDirectory: repository.gitDirectory, anyCommit },
    host: (at) => rules.host({ ...{ world, accounts, now, defect }, url: at, roles: options.roles ?? {} }),
  });
  const { url, host, requests, fail } = served;

  const script = forgeScript(world, rules);
  const close = async () => {
    if (!(await served.close())) return;
    await last;
    await removeTempFolder(root);
    if (defects.length > 0)
      throw new GalleyError('INTERNAL', `The loopback forge is wrong: ${defects.join(' ')}`);
  };
  const envOf = (token: string) => host.environment(token);
  return {
    ...script,
    commit: (change) => queued(() => script.commit(change)),
    push: (change) => queued(() => script.push(change)),
    deleteBranch: (branch) => queued(() => script.deleteBranch(branch)),
    openPull: (pull) => queued(() => script.openPull(pull)),
    merge: (number, by) => queued(() => script.merge(number, by)),
    ...{ kind, url, envOf, requests, fail, close },
    apiUrl: `${url}${host.apiPath}`,
    env: envOf(firstToken),
    gitDirectory: repository.gitDirectory,
    statuses: world.statuses,
    checkRuns: world.checkRuns,
    pull: (number) => viewPull(world, number),
    advance(ms) {
      offset += ms;
    },
    async event(asked) {
      if (host.event === undefined)
        throw new GalleyError('INVALID_ARGUMENT', 'This host has no such events.');
      const payload = await queued(() => host.event!(asked));
      events += 1;
      const path = join(root, `event-${events}.json`);
      await writeFile(path, JSON.stringify(payload, undefined, 2));
      return { GITHUB_EVENT_NAME: asked.name, GITHUB_EVENT_PATH: path };
    },
    async forgetUnreachable() {
      await queued(() => repository.prune());
    },
  };
}
