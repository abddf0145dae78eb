// Operations of the packed program, as it serves them over HTTP or is called from a shell.
import { spawn } from 'node:child_process';

type Environment = Readonly<Record<string, string>>;

export interface Place {
  readonly bin: string;
  readonly cwd: string;
  readonly env: Environment;
}

/** `galley call`: the JSON of its answer. */
export async function callPacked({ bin, cwd, env }: Place, id: string, request: object): Promise<unknown> {
  const child = spawn(process.execPath, [bin, 'call', id], { cwd, env });
  let said = '';
  child.stdout.setEncoding('utf8').on('data', (part: string) => {
    said += part;
  });
  child.stdin.end(JSON.stringify(request));
  await new Promise((closed) => child.once('close', closed));
  return answerOf(id, JSON.parse(said));
}

export interface Served {
  call(id: string, request: object): Promise<unknown>;
  close(): Promise<void>;
}

/** `galley serve`, from the moment it says where it listens. */
export async function servePacked({ bin, cwd, env }: Place): Promise<Served> {
  const child = spawn(process.execPath, [bin, 'serve', '--port', '0'], { cwd, env });
  const ended = new Promise((closed) => child.once('close', closed));
  const address = await new Promise<string>((listening, failed) => {
    let talk = '';
    child.stderr.on('data', (chunk) => {
      talk += chunk;
      const found = /listening on (http:\/\/\S+)\n/.exec(talk)?.[1];
      if (found !== undefined) listening(found);
    });
    child.once('close', () => failed(new Error(talk)));
  });
  return {
    async call(id, request) {
      const response = await fetch(`${address}/v1/${id.replaceAll(':', '/')}`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(request),
      });
      return answerOf(id, await response.json());
    },
    async close() {
      child.kill('SIGTERM');
      await ended;
    },
  };
}

function answerOf(id: string, answer: unknown): unknown {
  const { error } = answer as { error?: { code: string; message: string } };
  if (error !== undefined) throw new Error(`${id}: ${error.code}: ${error.message}`);
  return answer;
}
