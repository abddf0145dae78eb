// The built program as a real server on a store, and a client that keeps its connections.
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { Agent, request } from 'node:http';
import { join } from 'node:path';

export interface Served {
  readonly child: ChildProcess;
  readonly address: string;
  end(): Promise<void>;
}

interface Answer {
  readonly status: number;
  readonly text: string;
}

const program = join('bin', 'galley.js');
const agent = new Agent({ keepAlive: true, maxSockets: 400 });

/** `words` are further flags of `galley serve`. */
export async function serve(folder: string, words: readonly string[] = []): Promise<Served> {
  const all = [program, 'serve', '--port', '0', '--root', folder, ...words];
  const child = spawn(process.execPath, all, { stdio: ['ignore', 'ignore', 'pipe'] });
  const end = async () => {
    if (child.exitCode !== null || child.signalCode !== null) return;
    const gone = once(child, 'exit');
    child.kill('SIGTERM');
    await gone;
  };
  let talk = '';
  for await (const chunk of child.stderr) {
    talk += String(chunk);
    const address = /listening on (\S+)\n/.exec(talk)?.[1];
    if (address === undefined) continue;
    child.stderr.resume();
    return { child, address, end };
  }
  throw new Error(`The server did not start: ${talk}`);
}

/** A token of the store that may do everything but inspect. */
export function newToken(store: string): string {
  const grants = ['read', 'write', 'run'].flatMap((grant) => ['--grant', grant]);
  const words = ['token', 'create', ...grants, '--store', store, '--json'];
  const told = execFileSync(process.execPath, [program, ...words], { encoding: 'utf8' });
  return (JSON.parse(told) as { token: string }).token;
}

interface AskOptions {
  readonly body?: object;
  readonly token?: string | undefined;
}

export function ask(address: string, path: string, { body, token }: AskOptions = {}): Promise<Answer> {
  const json = body === undefined ? undefined : JSON.stringify(body);
  return new Promise((resolve, reject) => {
    const call = request(address + path, {
      agent,
      method: json === undefined ? 'GET' : 'POST',
      headers: {
        ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
        ...(json === undefined
          ? {}
          : { 'content-type': 'application/json', 'content-length': Buffer.byteLength(json) }),
      },
    });
    call.on('error', reject);
    call.on('response', (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('error', reject);
      response.on('end', () =>
        resolve({ status: response.statusCode ?? 0, text: Buffer.concat(chunks).toString('utf8') }),
      );
    });
    call.end(json);
  });
}

export function post(address: string, id: string, body: object, token?: string): Promise<Answer> {
  return ask(address, `/v1/${id.replaceAll(':', '/')}`, { body, token });
}

/** Connections that nobody uses any more keep no process alive. */
export function hangUp(): void {
  agent.destroy();
}
