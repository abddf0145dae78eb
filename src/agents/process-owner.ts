// Whose work is it? A process by its machine, number and start, so that another one can tell whether it is gone, and never takes a
// later process of that number for it.
import { isRunning, startOf } from '../temp/process-life.js';
import { machine } from '../temp/temp-folder.js';

/** Names this process. */
export function thisProcess(): string {
  return [machine(), process.pid, startOf(process.pid) ?? ''].join('.');
}

/** Certain only on the machine it ran on; of another one nobody here can tell, and it counts as alive. */
export function isGone(owner: string): boolean {
  const [where, number, start = ''] = owner.split('.');
  const pid = Number(number);
  if (where !== machine() || !Number.isInteger(pid) || pid <= 0) return false;
  return start === '' ? !isRunning(pid) : startOf(pid) !== start;
}
