// How is git called, and what does a failure mean? Always by spawn, streamed, without a shell; a call that ends badly or is aborted
// leaves no process behind, and of its stderr only the kind is told.
import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { once } from 'node:events';
import type { Readable, Writable } from 'node:stream';
import { type ErrorCode, GalleyError, toGalleyError } from '../../core/model/error.js';
import type { GitEnvironment } from './environment.js';

/** Where a call runs: a folder, an environment and settings that come before the command. */
export interface GitPlace {
  readonly folder: string;
  readonly environment: GitEnvironment;
  readonly settings: readonly string[];
}

interface GitCall {
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

interface FailedCall {
  readonly command: string;
  readonly exit: number | null;
  readonly stderr: string;
}

interface Meaning {
  readonly sign: RegExp;
  readonly code: ErrorCode;
  readonly reason: string;
  readonly advice: string;
}

const meanings: readonly Meaning[] = [
  {
    sign: /dubious ownership|unsafe repository/,
    code: 'GIT_FAILED',
    reason: 'ownership',
    advice: 'The repository belongs to another user; allow it with git config --global --add safe.directory.',
  },
  {
    sign: /not a git repository|must be run in a work tree/,
    code: 'NOT_A_REPOSITORY',
    reason: 'no-repository',
    advice: 'The path is not inside a git repository; name a folder of one.',
  },
  {
    sign: /bad config|unable to parse config|invalid section|config value/i,
    code: 'GIT_FAILED',
    reason: 'unreadable-config',
    advice: 'The git configuration cannot be read; git config --list names the file and the line.',
  },
  {
    sign: /index file (corrupt|smaller)|bad (index|signature)|unordered stage entries/,
    code: 'GIT_FAILED',
    reason: 'corrupt-index',
    advice: 'The index is damaged; git reset rebuilds it.',
  },
  {
    sign: /unable to read|corrupt|bad object|bad tree|missing blob|inflate|object file|could not parse|unpack/i,
    code: 'GIT_FAILED',
    reason: 'unreadable-object',
    advice: 'An object of the repository is missing or damaged; git fsck names it.',
  },
  {
    sign: /unknown revision|bad revision|ambiguous argument|single revision|not a valid (object|commit)/i,
    code: 'REVISION_NOT_FOUND',
    reason: 'revision',
    advice: 'A revision was not found; check its spelling or fetch it.',
  },
];

/**
 * What does a failed git call mean for the caller? Its stderr may quote paths and text, so only its kind leaves this file.
 */
export function gitFailure(call: FailedCall): GalleyError {
  const meaning = meanings.find(({ sign }) => sign.test(call.stderr));
  const exit = call.exit ?? -1;
  return meaning === undefined
    ? new GalleyError('GIT_FAILED', `git ${call.command} ended with exit code ${exit}.`, {
        details: { command: call.command, exit, reason: 'unknown' },
      })
    : new GalleyError(meaning.code, meaning.advice, {
        details: { command: call.command, exit, reason: meaning.reason },
      });
}

export function gitNotStarted(command: string, cause: unknown): GalleyError {
  return new GalleyError('GIT_FAILED', 'git could not be started; install git and put it on the PATH.', {
    details: { command, exit: -1, reason: 'not-started' },
    cause,
  });
}
