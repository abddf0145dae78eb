// Waiting for what passes by itself: a lock, a crowd, a server that starts again.
import { setTimeout as sleep } from 'node:timers/promises';

const longestNap = 40;

/** Runs `attempt` again while its error passes by itself; gives the error back once the naps add up to `patienceMs`. */
export async function repeatWhile<T>(
  passes: (error: unknown) => boolean,
  patienceMs: number,
  attempt: () => Promise<T>,
): Promise<T> {
  let nap = 1;
  for (let slept = 0; ; slept += nap, nap = Math.min(nap * 2, longestNap)) {
    try {
      return await attempt();
    } catch (error) {
      if (!passes(error) || slept >= patienceMs) throw error;
    }
    await sleep(nap);
  }
}
