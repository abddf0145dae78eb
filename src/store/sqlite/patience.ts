// How long does a call wait for another process? In short sleeps that leave the event loop free, within a fixed sum.
import { setTimeout as sleep } from 'node:timers/promises';
import { isBusy } from './refusals.js';

const longestNap = 40;

/** Runs `attempt` again while the store is locked; gives its refusal back once the naps add up to `patienceMs`. */
export async function waitWhileBusy<T>(patienceMs: number, attempt: () => Promise<T>): Promise<T> {
  let nap = 1;
  for (let slept = 0; ; slept += nap, nap = Math.min(nap * 2, longestNap)) {
    try {
      return await attempt();
    } catch (error) {
      if (!isBusy(error) || slept >= patienceMs) throw error;
    }
    await sleep(nap);
  }
}
