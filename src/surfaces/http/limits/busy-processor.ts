// Has the process anything to spare? While its one thread is busy without a pause, another call beside those that run ends none of
// them sooner; it only makes whoever comes next wait for more of them.
import { performance } from 'node:perf_hooks';

/** Milliseconds over which it is looked at. */
const span = 40;
/** Shares of the time above which nothing is left. */
const full = 0.95;

type Utilization = typeof performance.eventLoopUtilization;

export function busyProcessor(
  now: () => number,
  utilization: Utilization = performance.eventLoopUtilization,
): () => boolean {
  let [last, since, isBusy] = [utilization(), now(), false];
  return () => {
    if (now() - since < span) return isBusy;
    const current = utilization();
    isBusy = utilization(current, last).utilization > full;
    [last, since] = [current, now()];
    return isBusy;
  };
}
