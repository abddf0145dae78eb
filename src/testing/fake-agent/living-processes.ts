// Which processes of a group still live? A zombie waits for its parent and no longer counts.
import { spawnSync } from 'node:child_process';

export function livingProcesses(group: number): number[] {
  const { stdout } = spawnSync('ps', ['-A', '-o', 'pid=,pgid=,stat='], { encoding: 'utf8' });
  return stdout
    .split('\n')
    .map((line) => line.trim().split(/\s+/))
    .filter(([, pgid, stat = 'Z']) => Number(pgid) === group && !stat.startsWith('Z'))
    .map(([pid]) => Number(pid));
}
