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

let currentRun: AbortController | undefined;

/**
 * For a run that started an agent. Agents run in a group of their own, so the shell's signals reach only us: a closed terminal
 * or pipe cancels as Ctrl-C does, and a second Ctrl-C ends both at once. The listeners stay, since a late signal must not change
 * how we ended; there is one set of them, for the run that began last.
 */
export function runSignal(cancelled: AbortSignal): AbortSignal {
  if (currentRun === undefined) {
    process.on('SIGINT', interrupt).on('SIGTERM', interrupt).on('SIGHUP', abort);
    process.stdout.on('error', abort);
  }
  currentRun = new AbortController();
  return AbortSignal.any([cancelled, currentRun.signal]);
}

function abort(): void {
  currentRun?.abort();
}

function interrupt(signal: 'SIGINT' | 'SIGTERM'): void {
  if (currentRun?.signal.aborted) process.exit(cancelledExit(signal));
  abort();
}
