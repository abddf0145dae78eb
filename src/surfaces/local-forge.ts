// The host of pull requests as this machine's environment, clone and logins have it, for doors.
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import type { FoundForge } from '../forges/find-forge.js';
import type { ForgeKind } from '../forges/forge.js';

export function localForge(
  signal: AbortSignal,
  environment: NodeJS.ProcessEnv = process.env,
): (asked: string | undefined, folder: string) => Promise<FoundForge> {
  return async (asked, folder) => {
    const [{ findForge }, { readClone }] = await Promise.all([
      import('../forges/find-forge.js'),
      import('../git/repository/remotes.js'),
    ]);
    return findForge({
      ...{ asked, signal, environment, keptToken: (kind, host) => keptToken(environment, kind, host) },
      remotes: async () => (await readClone(folder)).remotes,
    });
  };
}

const logins: Readonly<Partial<Record<ForgeKind, (host: string) => readonly [string, ...string[]]>>> = {
  github: (host) => ['gh', 'auth', 'token', '--hostname', host],
  gitlab: (host) => ['glab', 'config', 'get', 'token', '--host', host],
};

/** What the host's own program was logged in with; nothing where it is not there or was not. */
async function keptToken(env: NodeJS.ProcessEnv, kind: ForgeKind, host: string): Promise<string | undefined> {
  const command = logins[kind]?.(host);
  if (command === undefined) return undefined;
  const [program, ...args] = command;
  try {
    const { stdout } = await promisify(execFile)(program, args, { env, timeout: 10_000, windowsHide: true });
    return stdout.trim() || undefined;
  } catch {
    return undefined;
  }
}
