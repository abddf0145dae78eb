// Standard output that cannot be written any more. A reader that has seen enough (`galley … | head`) is no failure; a full disk is,
// and it ends with one line and the code of a broken environment. Commands with work to end listen for it themselves.
import { errorTable } from '../../core/model/error.js';

const environmentBroken = errorTable.STORE_UNAVAILABLE.exit;
let exit: number | undefined;

/** The exit code of the process once its output has failed. */
export function outputExit(): number | undefined {
  return exit;
}

export function watchOutput(): void {
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (exit !== undefined) return;
    const hasWork = process.stdout.listenerCount('error') > 1;
    const isGone = error.code === 'EPIPE';
    exit = !isGone ? environmentBroken : hasWork ? errorTable.CANCELLED.exit : 0;
    process.exitCode = exit;
    void (isGone ? Promise.resolve() : say(error.code ?? 'EIO')).then(() => {
      if (!hasWork) process.exit(exit);
    });
  });
  // Whoever read what is said to people has gone; that ends no server.
  process.stderr.on('error', () => undefined);
}

async function say(reason: string): Promise<void> {
  const { word } = await import('./words/word.js');
  const next = `${word('next.label')}${word('next.output')}`;
  process.stderr.write(`galley: ${word('output.failed')} (${reason})\n  ${next}\n`);
}
