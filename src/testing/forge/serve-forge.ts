// The server in front of a host: every request is written down, meets the fault it was given, and is answered by git or by the API.
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { readBody } from '../loopback/loopback-call.js';
import { type Account, callerOf, tokenOf } from './host/accounts.js';
import { type Fault, type Faults, faultOf, secondaryText } from './host/faults.js';
import { type GitService, serveGit } from './host/git-backend.js';
import type { Host } from './host/host.js';
import type { Answer, ForgeRequest } from './host/request.js';

export interface ServedForge {
  readonly url: string;
  readonly host: Host;
  readonly requests: readonly ForgeRequest[];
  fail(faults: Faults | undefined): void;
  /** `false` where it was closed before. */
  close(): Promise<boolean>;
}

export interface ServeOptions {
  readonly accounts: Readonly<Record<string, Account>>;
  readonly git: Omit<GitService, 'login'>;
  host(url: string): Host;
  /** One thing at a time. */
  queued<Result>(run: () => Promise<Result>): Promise<Result>;
  defect(text: string): void;
}

export async function serveForge(options: ServeOptions): Promise<ServedForge> {
  const { accounts, queued, defect } = options;
  const requests: ForgeRequest[] = [];
  let faults: Faults | undefined;
  let counted = 0;
  const server = createServer((incoming, response) => {
    // A caller that leaves while it is still asking is no failure of the server.
    receive(incoming, response).catch(() => response.destroy());
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject).listen(0, '127.0.0.1', resolve);
  });
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const host = options.host(url);

  async function receive(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
    const path = incoming.url ?? '/';
    const kind = path.startsWith(`${host.apiPath}/`) ? 'api' : 'git';
    counted += 1;
    const request: ForgeRequest = { number: counted, method: incoming.method ?? '', path, kind, status: 0 };
    requests.push(request);
    const fault = faultOf(faults, request);
    const isLost = fault?.kind === 'lost-answer' || fault?.kind === 'malformed';
    if (fault?.kind === 'hang') return;
    // To git nothing is ever done, so what is lost there is lost before.
    if (fault?.kind === 'cut' || (kind === 'git' && isLost)) incoming.socket.destroy();
    else if (fault?.kind === 'status' || fault?.kind === 'secondary-limit') {
      await readBody(incoming);
      send(request, response, faultAnswer(host, fault));
    } else if (kind === 'git') await answerGit(request, incoming, response);
    else {
      const answer = await answerApi(request, incoming);
      if (fault?.kind === 'lost-answer') incoming.socket.destroy();
      else send(request, response, answer, fault?.kind === 'malformed');
    }
  }

  async function answerApi({ method, path }: ForgeRequest, incoming: IncomingMessage): Promise<Answer> {
    const bytes = await readBody(incoming);
    const { pathname, searchParams: query } = new URL(path, url);
    const caller = callerOf(accounts, tokenOf(incoming));
    if (caller.kind !== 'known') return host.unauthorized(caller.kind);
    const exchange = {
      ...{ method, query, account: caller.account, body: parsed(bytes) },
      path: pathname.slice(host.apiPath.length),
      header: (name: string) => [incoming.headers[name] ?? []].flat().join(', '),
    };
    return await queued(() => host.answer(exchange)).catch((error: unknown) => {
      defect(`${method} ${pathname}: ${String(error)}`);
      return host.failure(500, 'The loopback forge failed.');
    });
  }

  async function answerGit(
    request: ForgeRequest,
    incoming: IncomingMessage,
    response: ServerResponse,
  ): Promise<void> {
    const caller = callerOf(accounts, tokenOf(incoming));
    if (caller.kind === 'known' && caller.account.rights.includes('read')) {
      const { login } = caller.account;
      request.status = await serveGit(incoming, response, { ...options.git, login });
      return;
    }
    const headers = { 'www-authenticate': 'Basic realm="loopback"' };
    send(request, response, { status: caller.kind === 'known' ? 403 : 401, headers });
  }

  return {
    ...{ url, host, requests },
    fail(next) {
      faults = next;
      counted = 0;
    },
    async close() {
      if (!server.listening) return false;
      await new Promise<void>((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      });
      return true;
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

function parsed(bytes: Buffer): unknown {
  try {
    return JSON.parse(bytes.toString('utf8'));
  } catch {
    return undefined;
  }
}
