// Fetches over HTTP, answered by git's own backend as a CGI program.
import { spawn } from 'node:child_process';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { dirname } from 'node:path';
import { sealedEnvironment } from '../../../git/process/environment.js';

export interface GitService {
  readonly root: string;
  readonly gitDirectory: string;
  /** `false`: only what has a name is given out, which the newer protocol has no words for. */
  readonly anyCommit: boolean;
  readonly login: string;
}

/** Ends when the answer is sent or the caller is gone; gives the status. */
export async function serveGit(
  request: IncomingMessage,
  response: ServerResponse,
  { root, gitDirectory, anyCommit, login }: GitService,
): Promise<number> {
  const url = new URL(request.url ?? '/', 'http://loopback');
  const header = (name: string) => [request.headers[name] ?? []].flat().join(', ');
  const { GIT_DIR: _, ...environment } = sealedEnvironment(gitDirectory);
  const child = spawn('git', ['http-backend'], {
    cwd: dirname(gitDirectory),
    stdio: ['pipe', 'pipe', 'ignore'],
    env: {
      ...environment,
      GIT_PROJECT_ROOT: root,
      GIT_HTTP_EXPORT_ALL: '1',
      PATH_INFO: decodeURIComponent(url.pathname),
      QUERY_STRING: url.search.slice(1),
      REQUEST_METHOD: request.method ?? 'GET',
      REMOTE_USER: login,
      CONTENT_TYPE: header('content-type'),
      ...(header('content-length') === '' ? {} : { CONTENT_LENGTH: header('content-length') }),
      ...(header('content-encoding') === '' ? {} : { HTTP_CONTENT_ENCODING: header('content-encoding') }),
      ...(anyCommit && header('git-protocol') !== '' ? { GIT_PROTOCOL: header('git-protocol') } : {}),
    },
  });
  response.once('close', () => child.kill());
  // A backend that ends early leaves the rest of the question unread.
  child.stdin.on('error', () => {});
  request.pipe(child.stdin);
  let head = Buffer.alloc(0);
  let status = 0;
  for await (const chunk of child.stdout as AsyncIterable<Buffer>) {
    if (status !== 0) {
      response.write(chunk);
      continue;
    }
    head = Buffer.concat([head, chunk]);
    const end = head.indexOf('\r\n\r\n');
    if (end === -1) continue;
    status = writeHead(response, head.subarray(0, end).toString('latin1'));
    response.write(head.subarray(end + 4));
  }
  if (status === 0) response.writeHead(500);
  response.end();
  return status === 0 ? 500 : status;
}

function writeHead(response: ServerResponse, text: string): number {
  let status = 200;
  for (const line of text.split('\r\n')) {
    const [name = '', ...rest] = line.split(':');
    const value = rest.join(':').trim();
    if (name.toLowerCase() === 'status') status = Number.parseInt(value, 10);
    else response.setHeader(name, value);
  }
  response.writeHead(status);
  return status;
}
