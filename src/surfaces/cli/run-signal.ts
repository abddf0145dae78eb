// When does a run end early? Agents run in a group of their own, so the shell's signals reach only us: a closed terminal or pipe
// cancels as Ctrl-C does, and a second Ctrl-C ends both at once. The listeners stay, since a late signal must not change how we
// ended.
export function runSignal(cancelled: AbortSignal): AbortSignal {
  const controller = new AbortController();
  const abort = () => controller.abort();
  const interrupt = () => {
    if (controller.signal.aborted) process.exit(130);
    abort();
  };
  process.on('SIGINT', interrupt).on('SIGTERM', interrupt).on('SIGHUP', abort);
  process.stdout.on('error', abort);
  return AbortSignal.any([cancelled, controller.signal]);
}
