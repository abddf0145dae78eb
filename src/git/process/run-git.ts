// How is git called? Always by spawn, streamed, without a shell; a call that ends badly or is aborted leaves no process behind.
import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { once } from 'node:events';
import type { Readable, Writable } from 'node:stream';
import { toGalleyError } from '../../core/model/error.js';
import type { Environment } from './environment.js';
import { gitFailure, gitNotStarted } from './git-failure.js';

/** Where a call runs: a folder, an environment and settings that come before the command. */
export interface GitPlace {
  readonly folder: string;
  readonly environment: Environment;
  readonly settings: readonly string[];
}

export interface GitCall {
  readonly input?: Iterable<Buffer | string>;
  readonly signal?: AbortSignal | undefined;
  /** Exit codes that are an answer, not a failure. */
  readonly accept?: readonly number[];
  /** Sees all that git says besides its answer, however long it is. */
  readonly onStderr?: (part: Buffer) => void;
}

type GitProcess = ChildProcessByStdio<Writable, Readable, Readable>;

const stderrLimit = 8192;

export function spawnGit(place: GitPlace, args: readonly string[]): GitProcess {
  const all = ['--no-pager', '--no-optional-locks', '--literal-pathspecs', ...place.settings, ...args];
  return spawn('git', all, {
    cwd: place.folder,
    env: { ...place.environment },
    stdio: ['pipe', 'pipe', 'pipe'],
    windowsHide: true,
  });
}

export async function* streamGit(
  place: GitPlace,
  args: readonly string[],
  call: GitCall = {},
): AsyncGenerator<Buffer, number> {
  const command = args[0] ?? '';
  if (call.signal?.aborted) throw toGalleyError(call.signal.reason, 'CANCELLED');
  const child = spawnGit(place, args);
  const ended = waitForEnd(child, command);
  const stderr = collectStderr(child, call.onStderr);
  const abort = () => child.kill();
  call.signal?.addEventListener('abort', abort, { once: true });
  const fed = feed(child.stdin, call.input ?? []);
  let finished = false;
  try {
    for await (const chunk of child.stdout) yield chunk as Buffer;
    const exit = await ended;
    await fed;
    finished = true;
    if (call.signal?.aborted) throw toGalleyError(call.signal.reason, 'CANCELLED');
    if (exit !== 0 && !(exit !== null && call.accept?.includes(exit)))
      throw gitFailure({ command, exit, stderr: stderr() });
    return exit ?? 0;
  } catch (error) {
    if (call.signal?.aborted) throw toGalleyError(call.signal.reason, 'CANCELLED');
    throw toGalleyError(error, 'GIT_FAILED');
  } finally {
    call.signal?.removeEventListener('abort', abort);
    if (!finished) await stop(child, ended);
  }
}

export async function readGit(
  place: GitPlace,
  args: readonly string[],
  call: GitCall = {},
): Promise<{ output: Buffer; exit: number }> {
  const chunks: Buffer[] = [];
  const stream = streamGit(place, args, call);
  for (;;) {
    const step = await stream.next();
    if (step.done) return { output: Buffer.concat(chunks), exit: step.value };
    chunks.push(step.value);
  }
}

/** One line of output without its line end; undefined when git said nothing. */
export async function askGit(
  place: GitPlace,
  args: readonly string[],
  call: GitCall = {},
): Promise<string | undefined> {
  const { output } = await readGit(place, args, call);
  const text = output.toString('utf8').replace(/\r?\n$/, '');
  return text === '' ? undefined : text;
}

function waitForEnd(child: GitProcess, command: string): Promise<number | null> {
  const ended = new Promise<number | null>((resolve, reject) => {
    child.once('error', (error) => reject(gitNotStarted(command, error)));
    child.once('close', (exit) => resolve(exit));
  });
  // The caller may stop reading before it waits for the end.
  ended.catch(() => {});
  return ended;
}

function collectStderr(child: GitProcess, onStderr: GitCall['onStderr']): () => string {
  const parts: Buffer[] = [];
  let size = 0;
  child.stderr.on('data', (part: Buffer) => {
    onStderr?.(part);
    if (size < stderrLimit) parts.push(part);
    size += part.length;
  });
  return () => Buffer.concat(parts).toString('utf8');
}

async function feed(stdin: Writable, input: Iterable<Buffer | string>): Promise<void> {
  // A process that dies early closes its stdin; its exit code tells why.
  let open = true;
  const close = new Promise<void>((resolve) => {
    stdin.once('close', resolve);
    stdin.on('error', () => {
      open = false;
      resolve();
    });
  });
  for (const part of input) {
    if (!open || stdin.destroyed) break;
    if (!stdin.write(part)) await Promise.race([once(stdin, 'drain').catch(() => {}), close]);
  }
  stdin.end();
  await close;
}

async function stop(child: GitProcess, ended: Promise<number | null>): Promise<void> {
  child.stdin.destroy();
  child.stdout.destroy();
  if (child.exitCode === null && child.signalCode === null && child.pid !== undefined) child.kill('SIGKILL');
  await ended.catch(() => {});
}
