// Ctrl-C asks nicely first; a second one ends the process as usual. However often it is asked for, the process listens once.
import { constants } from 'node:os';

const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;
type Told = (typeof signals)[number];

let current: AbortController | undefined;
let toldBy: Told = 'SIGINT';

export function cancellation(): AbortSignal {
  if (current === undefined) {
    current = new AbortController();
    for (const signal of signals) process.on(signal, cancel);
  }
  return current.signal;
}

/** As a shell counts it: 128 and the number of the signal that ended the work. */
export function cancelledExit(signal: Told = toldBy): number {
  return 128 + constants.signals[signal];
}

function cancel(signal: Told): void {
  toldBy = signal;
  for (const each of signals) process.off(each, cancel);
  current?.abort();
  current = undefined;
}
