// Processor time of processes, their ended children and those that live: what a call costs on a machine that others use, too.
import { readdirSync, readFileSync } from 'node:fs';

const ticksPerSecond = 100;

function fieldsOf(pid: number): readonly string[] {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
  return stat.slice(stat.lastIndexOf(')') + 2).split(' ');
}

/** Seconds; the process, the children it waited for, and, if told, those that live. */
export function processorSeconds(pid: number, withChildren = false): number {
  const own = fieldsOf(pid)
    .slice(11, 15)
    .reduce((sum, ticks) => sum + Number(ticks), 0);
  let children = 0;
  for (const name of withChildren ? readdirSync('/proc') : []) {
    if (!/^\d+$/.test(name)) continue;
    try {
      if (Number(fieldsOf(Number(name))[1]) === pid) children += processorSeconds(Number(name));
    } catch {
      // It ended meanwhile.
    }
  }
  return own / ticksPerSecond + children;
}
