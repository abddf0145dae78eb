// Which agent CLIs are there, and how old? Named by the caller, in GALLEY_CLAUDE, GALLEY_CODEX or GALLEY_GEMINI, or on the PATH.
import { constants } from 'node:fs';
import { access, stat } from 'node:fs/promises';
import { delimiter, isAbsolute, join } from 'node:path';
import { GalleyError } from '../../core/model/error.js';
import type { AgentCli, AgentCliName } from './agent-cli.js';
import type { ChildEnvironment } from './child-environment.js';
import { claude } from './claude.js';
import { codex } from './codex.js';
import { gemini } from './gemini.js';
import { runProcess } from './run-process.js';

interface FindOptions {
  /** The executable, when the caller knows it. */
  readonly path?: string | undefined;
  readonly environment?: NodeJS.ProcessEnv;
}

export async function findAgentCli(name: AgentCliName, options: FindOptions = {}): Promise<string> {
  const environment = options.environment ?? process.env;
  const variable = `GALLEY_${name.toUpperCase()}`;
  const configured = options.path ?? environment[variable];
  const { title, install } = agentClis[name];
  if (configured) {
    if (isAbsolute(configured) && (await isExecutable(configured))) return configured;
    throw new GalleyError(
      'MODEL_NOT_CONFIGURED',
      `The configured executable of ${title} cannot be run; ${variable} must be its absolute path.`,
      { details: { cli: name, reason: 'configured' } },
    );
  }
  const found = await findOnPath(name, environment);
  if (found !== undefined) return found;
  throw new GalleyError('MODEL_NOT_CONFIGURED', `${title} is not installed; install it with: ${install}`, {
    details: { cli: name, reason: 'not-installed', install },
  });
}

/** The program of that name in the folders of the PATH. */
export async function findOnPath(name: string, environment: NodeJS.ProcessEnv): Promise<string | undefined> {
  if (/[\\/]/.test(name)) return undefined;
  for (const folder of (environment.PATH ?? environment.Path ?? '').split(delimiter)) {
    // A relative entry would run whatever the folder one stands in offers.
    if (!isAbsolute(folder)) continue;
    for (const ending of process.platform === 'win32' ? ['.exe', '.cmd', ''] : ['']) {
      const candidate = join(folder, name + ending);
      if (await isExecutable(candidate)) return candidate;
    }
  }
  return undefined;
}

async function isExecutable(path: string): Promise<boolean> {
  try {
    await access(path, constants.X_OK);
    return (await stat(path)).isFile();
  } catch {
    return false;
  }
}

/** The agent CLIs we can run. */
export const agentClis: Readonly<Record<AgentCliName, AgentCli>> = { claude, codex, gemini };

/** Gemini takes 17 s on a busy machine. */
const patienceMs = 40_000;

/** Is the installed CLI older than what we know? Asked only after a failure, since some take seconds to say. */
export async function cliVersion(
  command: string,
  { environment, folder, signal }: { environment: ChildEnvironment; folder: string; signal: AbortSignal },
): Promise<string | undefined> {
  let found: string | undefined;
  await runProcess({
    command,
    args: ['--version'],
    environment,
    folder,
    input: '',
    timeouts: { firstByteMs: patienceMs, totalMs: patienceMs },
    signal,
    maxLine: 4096,
    graceMs: 1000,
    onLine: (line) => {
      found ??= /\b\d+\.\d+\.\d+\b/.exec(line)?.[0];
      return 'nothing';
    },
  });
  return found;
}

export function isOlder(version: string, than: string): boolean {
  const [ours, theirs] = [version, than].map((text) => text.split('.').map(Number));
  for (let part = 0; part < 3; part += 1) {
    const difference = (ours?.[part] ?? 0) - (theirs?.[part] ?? 0);
    if (difference !== 0) return difference < 0;
  }
  return false;
}
