// Is whoever wrote something into the store still there? Not by a clock: a process that gets no processor for a while lives, and one that
// was killed is gone at once.
import { readFileSync, readlinkSync } from 'node:fs';
import { hostname } from 'node:os';
import { isRunning, startOf } from '../temp/process-life.js';

export interface Presence {
  /** From now on this process is present, under the name that is answered. */
  enter(): Promise<string>;
  /** True as long as it cannot be known. */
  has(name: string): Promise<boolean>;
}

/** Of the processes of one machine, by what the system knows of them. */
export function processPresence(): Presence {
  const { pid } = process;
  const here = JSON.stringify([machine(), pidSpace(), pid, startOf(pid) ?? '']);
  return {
    enter: async () => here,
    async has(name) {
      const [where, space, other, start] = JSON.parse(name) as [string, string, number, string];
      // A store of this kind is used by one machine: what another one wrote, it wrote before it was started anew.
      if (where !== machine()) return false;
      // Numbers of another container mean nothing here.
      if (space !== pidSpace()) return true;
      return isRunning(other) && (start === '' || start === startOf(other));
    },
  };
}

const machine = () => readOr('/proc/sys/kernel/random/boot_id', hostname());

function pidSpace(): string {
  try {
    return readlinkSync('/proc/self/ns/pid');
  } catch {
    return '';
  }
}

function readOr(path: string, otherwise: string): string {
  try {
    return readFileSync(path, 'utf8').trim();
  } catch {
    return otherwise;
  }
}
