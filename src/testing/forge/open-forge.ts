// GitHub, GitLab, or Gitea and Forgejo on this machine, for tests: real repositories over git's own protocol, the API by the host's
// own rules, people who act on cue, and everything that can go wrong on the way.
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { GalleyError } from '../../core/model/error.js';
import type { ForgeKind } from '../../forges/forge.js';
import { makeTempFolder, removeTempFolder } from '../../temp/temp-folder.js';
import { readBody } from '../loopback/loopback-call.js';
import { githubHost } from './github/github-host.js';
import { type Account, callerOf, everyRight, type Right, type Role, tokenOf } from './host/accounts.js';
import { bareRepository } from './host/bare-repository.js';
import { everyNth, type Fault, type Faults, faultOf } from './host/faults.js';
import { serveGit } from './host/git-backend.js';
import type { Host, HostSetup } from './host/host.js';
import type { Answer, ForgeRequest } from './host/request.js';
import { type ForgeScript, forgeScript, type Person, type ScriptedPull } from './host/script.js';
import { type PullView, viewPull } from './host/view.js';
import { type CheckRun, createWorld, type Status } from './host/world.js';

export type { Account, Fault, Faults, ForgeRequest, Person, PullView, Right, Role, ScriptedPull };
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
  /** Commits that no name leads to are gone, as some time after a forced push. */
  forgetUnreachable(): Promise<void>;
  /** Rejects where the stand-in itself was found to be wrong. */
  close(): Promise<void>;
}

interface HostKind {
  readonly host: (setup: HostSetup) => Host;
  readonly login: string;
  headRef(number: number): string;
  threadId(number: number): string;
  readonly closesWithBranch: boolean;
}

const kinds: Readonly<Record<ForgeKind, HostKind>> = {
  github: {
    host: githubHost,
    login: 'github-actions[bot]',
    headRef: (number: number) => `refs/pull/${number}/head`,
    threadId: (number: number) => `PRRT_${Buffer.from(`loopback${number}`).toString('base64url')}`,
    closesWithBranch: true,
  },
} as never;

const start = Date.UTC(2026, 0, 5, 9);

export async function openForge(options: ForgeOptions): Promise<LoopbackForge> {
  const { kind, repository: fullName, anyCommit = true } = options;
  const rules = kinds[kind];
  const accounts = options.accounts ?? {
    'loopback-token': { login: rules.login, isApp: kind === 'github', rights: everyRight },
  };
  const [firstToken = ''] = Object.keys(accounts);
  let offset = 0;
  const now = () => (options.clock?.() ?? start) + offset;
  const root = makeTempFolder('git');
  const repository = await bareRepository(root, { name: fullName, anyCommit });
  const world = createWorld({ repository, fullName, now, ...rules });
  const defects: string[] = [];
  const requests: ForgeRequest[] = [];
  let faults: Faults | undefined;
  let counted = 0;
  let last: Promise<unknown> = Promise.resolve();
  /** One thing at a time, in the order of arrival, as if in one transaction each. */
  const queued = <Result>(run: () => Result | Promise<Result>): Promise<Result> => {
    const result = last.then(run);
    last = result.catch(() => {});
    return result;
  };

  const server = createServer((incoming, response) => {
    receive(incoming, response).catch(() => response.destroy());
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject).listen(0, '127.0.0.1', resolve);
  });
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const host = rules.host({
    ...{ world, url, accounts, now },
    roles: options.roles ?? {},
    defect: (text) => defects.push(text),
  });

  async function receive(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
    const path = incoming.url ?? '/';
    const isApi = path.startsWith(`${host.apiPath}/`);
    counted += 1;
    const request: ForgeRequest = {
      number: counted,
      method: incoming.method ?? '',
      path,
      kind: isApi ? 'api' : 'git',
      status: 0,
    };
    requests.push(request);
    const fault = faultOf(faults, request);
    if (fault?.kind === 'hang') return;
    if (fault?.kind === 'cut') {
      incoming.socket.destroy();
      return;
    }
    if (fault?.kind === 'status' || fault?.kind === 'secondary-limit') {
      await readBody(incoming);
      send(request, response, faultAnswer(host, fault));
      return;
    }
    if (isApi) await answerApi(request, incoming, response, fault);
    else await answerGit(request, incoming, response);
  }

  async function answerApi(
    request: ForgeRequest,
    incoming: IncomingMessage,
    response: ServerResponse,
    fault: Fault | undefined,
  ): Promise<void> {
    const bytes = await readBody(incoming);
    const { pathname, searchParams } = new URL(request.path, url);
    const caller = callerOf(accounts, tokenOf(incoming));
    const answer =
      caller.kind !== 'known'
        ? host.unauthorized(caller.kind)
        : await queued(() =>
            host.answer({
              method: request.method,
              path: pathname.slice(host.apiPath.length),
              query: searchParams,
              header: (name) => [incoming.headers[name] ?? []].flat().join(', '),
              body: parsed(bytes),
              account: caller.account,
            }),
          ).catch((error: unknown) => {
            defects.push(`${request.method} ${pathname}: ${String(error)}`);
            return host.failure(500, 'The loopback forge failed.');
          });
    if (fault?.kind === 'lost-answer') {
      incoming.socket.destroy();
      return;
    }
    send(request, response, answer, fault?.kind === 'malformed');
  }

  async function answerGit(
    request: ForgeRequest,
    incoming: IncomingMessage,
    response: ServerResponse,
  ): Promise<void> {
    const caller = callerOf(accounts, tokenOf(incoming));
    if (caller.kind !== 'known' || !caller.account.rights.includes('read')) {
      const headers = { 'www-authenticate': 'Basic realm="loopback"' };
      send(request, response, { status: caller.kind === 'known' ? 403 : 401, headers });
      return;
    }
    const { gitDirectory } = repository;
    const { login } = caller.account;
    request.status = await serveGit(incoming, response, { root, gitDirectory, anyCommit, login });
  }

  const script = forgeScript(world, rules);
  const close = async () => {
    if (!server.listening) return;
    await new Promise<void>((resolve) => {
      server.close(() => resolve());
      server.closeAllConnections();
    });
    await last;
    await removeTempFolder(root);
    if (defects.length > 0)
      throw new GalleyError('INTERNAL', `The loopback forge is wrong: ${defects.join(' ')}`);
  };
  const envOf = (token: string) => host.environment({ url, token });
  return {
    ...script,
    commit: (change) => queued(() => script.commit(change)),
    push: (change) => queued(() => script.push(change)),
    deleteBranch: (branch) => queued(() => script.deleteBranch(branch)),
    openPull: (pull) => queued(() => script.openPull(pull)),
    merge: (number, by) => queued(() => script.merge(number, by)),
    ...{ kind, url, envOf, requests, close },
    apiUrl: `${url}${host.apiPath}`,
    env: envOf(firstToken),
    gitDirectory: repository.gitDirectory,
    statuses: world.statuses,
    checkRuns: world.checkRuns,
    pull: (number) => viewPull(world, number),
    fail(next) {
      faults = next;
      counted = 0;
    },
    advance(ms) {
      offset += ms;
    },
    async forgetUnreachable() {
      await queued(() => repository.git(['gc', '--quiet', '--prune=now']));
    },
  };
}

function send(request: ForgeRequest, response: ServerResponse, answer: Answer, half = false): void {
  const { status, body, headers } = answer;
  request.status = status;
  const text = typeof body === 'string' ? body : body === undefined ? '' : JSON.stringify(body);
  response.writeHead(status, { 'content-type': 'application/json; charset=utf-8', ...headers });
  response.end(half ? text.slice(0, Math.ceil(text.length / 2)) : text);
}

function faultAnswer(host: Host, fault: Fault & { kind: 'status' | 'secondary-limit' }): Answer {
  if (fault.kind === 'secondary-limit') return host.failure(403, secondaryText);
  const { status, message = 'The loopback forge was told to fail.', body, retryAfter } = fault;
  const own = host.failure(status, message);
  return {
    ...own,
    ...(body === undefined ? {} : { body }),
    headers: {
      ...own.headers,
      ...(retryAfter === undefined ? {} : { 'retry-after': String(retryAfter) }),
      ...fault.headers,
    },
  };
}

const secondaryText =
  'You have exceeded a secondary rate limit and have been temporarily blocked from content creation. Please retry your request again later.';

function parsed(bytes: Buffer): unknown {
  try {
    return JSON.parse(bytes.toString('utf8'));
  } catch {
    return undefined;
  }
}
