// Ctrl-C asks nicely first; a second one ends the process as usual.

export function cancellation(): AbortSignal {
  const controller = new AbortController();
  process.once('SIGINT', () => controller.abort());
  process.once('SIGTERM', () => controller.abort());
  return controller.signal;
}
