// Ctrl-C asks nicely first; a second one ends the process as usual. However often it is asked for, the process listens once.
let current: AbortController | undefined;

export function cancellation(): AbortSignal {
  if (current === undefined) {
    current = new AbortController();
    process.on('SIGINT', cancel).on('SIGTERM', cancel);
  }
  return current.signal;
}

function cancel(): void {
  process.off('SIGINT', cancel).off('SIGTERM', cancel);
  current?.abort();
  current = undefined;
}
