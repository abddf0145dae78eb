// When does a run end early? Agents run in a group of their own, so the shell's signals reach only us: a closed terminal or pipe
// cancels as Ctrl-C does, and a second Ctrl-C ends both at once. The listeners stay, since a late signal must not change how we
// ended; there is one set of them, for the run that began last.
import { cancelledExit } from './cancellation.js';

let current: AbortController | undefined;

export function runSignal(cancelled: AbortSignal): AbortSignal {
  if (current === undefined) {
    process.on('SIGINT', interrupt).on('SIGTERM', interrupt).on('SIGHUP', abort);
    process.stdout.on('error', abort);
  }
  current = new AbortController();
  return AbortSignal.any([cancelled, current.signal]);
}

function abort(): void {
  current?.abort();
}

function interrupt(signal: 'SIGINT' | 'SIGTERM'): void {
  if (current?.signal.aborted) process.exit(cancelledExit(signal));
  abort();
}
