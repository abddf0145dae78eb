// Is the installed CLI older than what we know? Asked only after a failure, since some take seconds to say.
import type { Environment } from './child-environment.js';
import { runProcess } from './run-process.js';

const patienceMs = 15_000;

export async function cliVersion(
  command: string,
  { environment, folder, signal }: { environment: Environment; folder: string; signal: AbortSignal },
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
    mostLine: 4096,
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
