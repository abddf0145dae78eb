// Whose work is it? A process by its machine, number and start, so that another one can tell whether it is gone, and never takes a
// later process of that number for it.
import { readFileSync } from 'node:fs';
import { machine } from '../temp/temp-folder.js';

const startOf = (pid: number) => {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'latin1');
    // Behind the name, which may hold anything; a zombie is gone though it has a number.
    const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
    return fields[0] === 'Z' ? undefined : fields[19];
  } catch {
    return undefined;
  }
};

/** Names this process. */
export function thisProcess(): string {
  return [machine(), process.pid, startOf(process.pid) ?? ''].join('.');
}

/** Certain only on the machine it ran on; of another one nobody here can tell, and it counts as alive. */
export function isGone(owner: string): boolean {
  const [where, number, start = ''] = owner.split('.');
  const pid = Number(number);
  if (where !== machine() || !Number.isInteger(pid) || pid <= 0) return false;
  if (start !== '') return startOf(pid) !== start;
  try {
    process.kill(pid, 0);
    return false;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ESRCH';
  }
}
