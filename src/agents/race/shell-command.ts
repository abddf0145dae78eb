// A command of the user's own, in a folder: ended in time, with everything it started, and the end of what it said.
import { runProcess } from '../../models/cli/run-process.js';

export interface CommandEnd {
  readonly passed: boolean;
  /** Absent where it was ended by a signal, or never began. */
  readonly exit?: number;
  readonly timedOut: boolean;
  /** The end of what it wrote, for a person to read. */
  readonly tail: string;
}

interface CommandOptions {
  readonly folder: string;
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
}

const tailLength = 2000;
const graceMs = 3000;
const maxLine = 16 * 1024 * 1024;

export async function runCommand(command: string, options: CommandOptions): Promise<CommandEnd> {
  const { folder, timeoutMs, signal } = options;
  let tail = '';
  const ended = await runProcess({
    ...shellOf(command),
    ...{ folder, signal, graceMs, maxLine, input: '' },
    environment: environmentOf(process.env),
    timeouts: { firstByteMs: timeoutMs, totalMs: timeoutMs },
    onLine: (line) => {
      tail = `${tail}${line}\n`.slice(-tailLength);
      return 'begun';
    },
  });
  // Where it ran is nobody's business, and another place each time.
  const shown = tail.replaceAll(folder, '.');
  if (ended.kind === 'not-started') return { passed: false, timedOut: false, tail: shown };
  const timedOut = ended.stopped === 'total' || ended.stopped === 'first-byte';
  const passed = ended.exit === 0 && ended.stopped === undefined;
  return { passed, ...(ended.exit === null ? {} : { exit: ended.exit }), timedOut, tail: shown };
}

/** Both streams as one, in the order in which they were written. */
function shellOf(command: string): { command: string; args: readonly string[] } {
  if (process.platform !== 'win32') return { command: '/bin/sh', args: ['-c', `exec 2>&1\n${command}`] };
  return { command: process.env.COMSPEC ?? 'cmd.exe', args: ['/d', '/s', '/c', `${command} 2>&1`] };
}

function environmentOf(from: NodeJS.ProcessEnv): Record<string, string> {
  return Object.fromEntries(
    Object.entries(from).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
  );
}
