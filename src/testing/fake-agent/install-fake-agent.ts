// Puts a fake agent CLI into a folder under the name of a real one, so that it is found and started like that one.

import { spawnSync } from 'node:child_process';
import { chmodSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

interface FakeCall {
  readonly pid: number;
  readonly args: readonly string[];
  readonly cwd: string;
  readonly entries: readonly string[];
  readonly environment: Readonly<Record<string, string>>;
  readonly stdin: string;
  readonly systemFile?: string;
  readonly system?: string;
  readonly mode?: number;
}

export interface FakeAgent {
  readonly command: string;
  /** Every line it wrote down: its call, its grandchildren, the signals it ignored. */
  records(): Record<string, unknown>[];
  call(): FakeCall;
  /** Lets one that behaves as `when-released` answer. */
  release(): void;
}

const script = fileURLToPath(new URL('./fake-agent.mjs', import.meta.url));

export function installFakeAgent(folder: string, cli: string, behaviour: string): FakeAgent {
  const command = join(folder, cli);
  const recordFile = join(folder, `${cli}.jsonl`);
  const quote = (text: string) => `'${text.replaceAll("'", "'\\''")}'`;
  const words = [process.execPath, script, cli, behaviour, recordFile, '--'].map(quote).join(' ');
  writeFileSync(command, `#!/bin/sh\nexec ${words} "$@"\n`);
  chmodSync(command, 0o755);
  const records = () =>
    existsSync(recordFile)
      ? readFileSync(recordFile, 'utf8')
          .split('\n')
          .filter((line) => line !== '')
          .map((line) => JSON.parse(line) as Record<string, unknown>)
      : [];
  return {
    command,
    records,
    call: () => records().find((entry) => 'stdin' in entry) as unknown as FakeCall,
    release: () => writeFileSync(`${recordFile}.released`, ''),
  };
}

/** Which processes of a group still live? A zombie waits for its parent and no longer counts. */
export function livingProcesses(group: number): number[] {
  const { stdout } = spawnSync('ps', ['-A', '-o', 'pid=,pgid=,stat='], { encoding: 'utf8' });
  return stdout
    .split('\n')
    .map((line) => line.trim().split(/\s+/))
    .filter(([, pgid, stat = 'Z']) => Number(pgid) === group && !stat.startsWith('Z'))
    .map(([pid]) => Number(pid));
}
