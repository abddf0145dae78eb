/** Resolves with the first signal; the second ends the process, and what it started, at once. */
export function untilTold(cancel: () => void): Promise<NodeJS.Signals> {
  return new Promise((resolve) => {
    let asked = false;
    const end = (signal: NodeJS.Signals) => {
      resolve(signal);
      if (asked) {
        process.off('SIGINT', end).off('SIGTERM', end);
        cancel();
        process.kill(process.pid, signal);
      }
      asked = true;
    };
    process.on('SIGINT', end).on('SIGTERM', end);
  });
}
