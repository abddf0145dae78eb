// A store that restarts is waited for: what was paid for, or came of a job, is not lost to a moment without it.
import { setTimeout as sleep } from 'node:timers/promises';
import { isGalleyError } from '../core/model/error.js';

const patienceMs = 120_000;
const longestNapMs = 2000;

export async function waitForStore<T>(attempt: () => Promise<T>): Promise<T> {
  let nap = 50;
  for (let slept = 0; ; slept += nap, nap = Math.min(nap * 2, longestNapMs)) {
    try {
      return await attempt();
    } catch (error) {
      if (!isAway(error) || slept >= patienceMs) throw error;
    }
    await sleep(nap);
  }
}

const isAway = (error: unknown): boolean =>
  isGalleyError(error) && (error.code === 'STORE_UNAVAILABLE' || error.code === 'STORE_BUSY');
