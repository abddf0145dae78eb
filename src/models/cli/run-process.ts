// How is an agent CLI run? Its own process group, the prompt on stdin or a talk over it, lines from stdout, two clocks and a signal. The promise
// settles when the process and all it started are gone, and says which of these ended it.
import { type ChildProcess, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import type { Timeouts } from '../contract/model.js';
import type { ChildEnvironment } from './child-environment.js';
import { processGroup, runMark } from './process-group.js';
import { followFile, splitLines } from './process-output.js';

export interface ProcessOptions {
  readonly command: string;
  readonly args: readonly string[];
  readonly environment: ChildEnvironment;
  readonly folder: string;
  readonly input: string;
  readonly timeouts: Timeouts;
  readonly signal: AbortSignal;
  readonly maxLine: number;
  /** A new file that takes stdout, for a process that does not wait until its reader has it all. */
  readonly outputFile?: string | undefined;
  /** Between asking the process to end and forcing it. */
  readonly graceMs: number;
  /** For a talk: stdin stays open, and what is answered goes there. */
  onOpen?(channel: Channel): void;
  onLine(line: string): LineNews;
}

export interface Channel {
  write(line: string): void;
  end(): void;
}

/** What a line changes: the model has begun to answer, or enough is enough. */
export type LineNews = 'nothing' | 'begun' | 'too-large';

export type Stop = 'cancelled' | 'first-byte' | 'total' | 'too-large';

export type ProcessEnd =
  | { readonly kind: 'not-started'; readonly cause: unknown }
  | {
      readonly kind: 'ended';
      readonly exit: number | null;
      readonly killedBy: string | null;
      /** Why we ended it; undefined when it ended by itself. */
      readonly stopped: Stop | undefined;
      /** The prompt was through before it ended. */
      readonly inputTaken: boolean;
      /** The end of stderr. It may quote the prompt, so it is for telling failures apart and goes no further. */
      readonly complaint: string;
    };

const complaintLimit = 8192;
const drainMs = 5000;
const maxOutput = 256 * 1024 * 1024;

export function runProcess(order: ProcessOptions): Promise<ProcessEnd> {
  return new Promise((resolve, reject) => watch(order, { resolve, reject }));
}

interface Settle {
  resolve(end: ProcessEnd): void;
  reject(error: unknown): void;
}

function watch(order: ProcessOptions, settle: Settle): void {
  let stopped: Stop | undefined;
  let leaderGone = false;
  // A pipe takes this much unread, so of a small prompt there is nothing to be known.
  let inputTaken = Buffer.byteLength(order.input) <= 64 * 1024;
  let complaint = '';
  let written = 0;
  let released = false;
  let drain: NodeJS.Timeout | undefined;
  let lastResort: NodeJS.Timeout | undefined;
  let readerError: { error: unknown } | undefined;

  const lines = splitLines(order.maxLine, (line) => {
    if (stopped !== undefined || readerError !== undefined) return;
    try {
      const news = order.onLine(line);
      if (news === 'begun') clearTimeout(firstByte);
      if (news === 'too-large') stop('too-large');
    } catch (error) {
      // The listener failed, not the process; it must not outlive the run all the same.
      readerError = { error };
      stop('cancelled');
    }
  });
  const take = (chunk: Buffer) => {
    written += chunk.length;
    if (!lines.push(chunk) || written > maxOutput) stop('too-large');
  };
  const file = order.outputFile === undefined ? undefined : followFile(order.outputFile, take);
  const mark = randomUUID();
  let child: ChildProcess;
  try {
    child = start(order, mark, file?.descriptor);
  } catch (cause) {
    file?.finish();
    settle.resolve({ kind: 'not-started', cause });
    return;
  }
  const group = processGroup(child, { mark, graceMs: order.graceMs });

  const stop = (why: Stop) => {
    if (stopped !== undefined || leaderGone) return;
    stopped = why;
    group.end();
    lastResort = setTimeout(() => finish(null, 'SIGKILL'), order.graceMs + drainMs);
  };
  const cancel = () => stop('cancelled');
  const firstByte = setTimeout(() => stop('first-byte'), timerMs(order.timeouts.firstByteMs));
  const total = setTimeout(() => stop('total'), timerMs(order.timeouts.totalMs));
  const release = () => {
    if (released) return;
    released = true;
    clearTimeout(firstByte);
    clearTimeout(total);
    clearTimeout(drain);
    clearTimeout(lastResort);
    order.signal.removeEventListener('abort', cancel);
    group.release();
    file?.finish();
  };
  const finish = (exit: number | null, killedBy: string | null) => {
    release();
    lines.end();
    if (readerError !== undefined) settle.reject(readerError.error);
    else settle.resolve({ kind: 'ended', exit, killedBy, stopped, inputTaken, complaint });
  };
  order.signal.addEventListener('abort', cancel, { once: true });
  if (order.signal.aborted) cancel();

  child.stdout?.on('data', take).on('error', () => undefined);
  child.stderr
    ?.on('data', (chunk: Buffer) => {
      complaint = (complaint + chunk.toString('latin1')).slice(-complaintLimit);
    })
    .on('error', () => undefined);
  child.stdin?.on('error', () => undefined);
  // A broken pipe is not always reported once the process has gone; only what was written is certain.
  child.stdin?.write(order.input, (error) => {
    // A write that is pending when the process goes ends without an error, on a stream that is closed.
    if (!error && child.stdin?.destroyed === false) inputTaken = true;
  });
  const { stdin } = child;
  if (order.onOpen === undefined) stdin?.end();
  else order.onOpen({ write: (line) => stdin?.write(`${line}\n`), end: () => stdin?.end() });

  child.on('error', (cause) => {
    if (child.pid !== undefined) return;
    release();
    settle.resolve({ kind: 'not-started', cause });
  });
  child.once('exit', () => {
    leaderGone = true;
    // Whoever is left of the group would hold the pipes open, or simply live on.
    group.force();
    drain = setTimeout(() => {
      for (const stream of [child.stdin, child.stdout, child.stderr]) stream?.destroy();
    }, drainMs);
  });
  child.once('close', (exit, killedBy) => {
    if (child.pid !== undefined) finish(exit, killedBy);
  });
}

function start(order: ProcessOptions, mark: string, output: number | undefined): ChildProcess {
  return spawn(order.command, [...order.args], {
    cwd: order.folder,
    env: { ...order.environment, [runMark]: mark },
    stdio: ['pipe', output ?? 'pipe', 'pipe'],
    detached: true,
    windowsHide: true,
  });
}

/** A timer set for longer than this would fire at once. */
function timerMs(wanted: number): number {
  return Math.min(wanted, 2 ** 31 - 1);
}
