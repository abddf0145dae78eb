// Waiting for what passes by itself: a lock, a crowd, a server that starts again.
import { setTimeout as sleep } from 'node:timers/promises';

/** Milliseconds; each is twice as long as the one before. */
interface Naps {
  readonly first: number;
  readonly longest: number;
}

const shortNaps: Naps = { first: 1, longest: 40 };

/** Runs `attempt` again while its error passes by itself; gives the error back once the naps add up to `patienceMs`. */
export async function repeatWhile<T>(
  passes: (error: unknown) => boolean,
  patienceMs: number,
  attempt: () => Promise<T>,
  { first, longest } = shortNaps,
): Promise<T> {
  let nap = first;
  for (let slept = 0; ; slept += nap, nap = Math.min(nap * 2, longest)) {
    try {
      return await attempt();
    } catch (error) {
      if (!passes(error) || slept >= patienceMs) throw error;
    }
    await sleep(nap);
  }
}
