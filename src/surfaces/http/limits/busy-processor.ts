// Has the process anything to spare? While its one thread is busy without a pause, another call beside those that run ends none of
// them sooner; it only makes whoever comes next wait for more of them. Neither does it where other processes use up the machine: the
// database beside us, or another server.
import { cpus } from 'node:os';
import { performance } from 'node:perf_hooks';

/** Milliseconds over which it is looked at. */
const span = 40;
/** Shares of the time above which nothing is to be gained: what is left would be a seventh more at best. */
const full = 0.88;
/** The machine costs more to look at, and tells it in hundredths of a second. */
const machineSpan = 400;
const machineFull = 0.9;

type Utilization = typeof performance.eventLoopUtilization;

/** Milliseconds of all processors since the machine was started. */
export interface MachineTime {
  readonly idle: number;
  readonly all: number;
}

interface Clocks {
  readonly utilization?: Utilization;
  readonly machine?: () => MachineTime;
}

export function busyProcessor(
  now: () => number,
  { utilization = performance.eventLoopUtilization, machine = machineTime }: Clocks = {},
): () => boolean {
  const isMachineBusy = busyMachine(now, machine);
  let [last, since, isBusy] = [utilization(), now(), false];
  return () => {
    if (now() - since < span) return isBusy;
    const current = utilization();
    const isThreadBusy = utilization(current, last).utilization > full;
    isBusy = isMachineBusy() || isThreadBusy;
    [last, since] = [current, now()];
    return isBusy;
  };
}

function busyMachine(now: () => number, machine: () => MachineTime): () => boolean {
  let [last, since, isBusy] = [machine(), now(), false];
  return () => {
    if (now() - since < machineSpan) return isBusy;
    const current = machine();
    const all = current.all - last.all;
    isBusy = all > 0 && 1 - (current.idle - last.idle) / all > machineFull;
    [last, since] = [current, now()];
    return isBusy;
  };
}

function machineTime(): MachineTime {
  let [idle, all] = [0, 0];
  for (const { times } of cpus()) {
    idle += times.idle;
    for (const ms of Object.values(times)) all += ms;
  }
  return { idle, all };
}
