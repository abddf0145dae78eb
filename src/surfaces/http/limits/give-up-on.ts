// Who does not take an answer is let go; who waits for one that takes long is not.
import type { ServerResponse } from 'node:http';

export function giveUpOn(outgoing: ServerResponse, idleMs: number): void {
  outgoing.setTimeout(idleMs, () => {
    if (outgoing.writableEnded || outgoing.writableLength > 0) outgoing.destroy();
  });
}
