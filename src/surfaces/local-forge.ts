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

/** Those of them for which no login is found at any of their hosts. */
export async function kindsWithoutLogin(
  kinds: Iterable<ForgeKind>,
  environment: NodeJS.ProcessEnv = process.env,
): Promise<readonly ForgeKind[]> {
  const [{ foundToken }, { knownHosts }] = await Promise.all([
    import('../forges/find-forge.js'),
    import('../forges/known-hosts.js'),
  ]);
  const wanted = new Set(kinds);
  const hosts = knownHosts(environment).filter(({ kind }) => wanted.has(kind));
  const asked = hosts.map(async (host) => {
    const { value } = await foundToken(host, {
      environment,
      keptToken: (kind, name) => keptToken(environment, kind, name),
    });
    return value === undefined ? [] : [host.kind];
  });
  const found = new Set((await Promise.all(asked)).flat());
  return [...wanted].filter((kind) => !found.has(kind));
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
