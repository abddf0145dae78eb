// A store that restarts is waited for: what was paid for, or came of a job, is not lost to a moment without it.
import { isGalleyError } from '../core/model/error.js';
import { repeatWhile } from '../store/repeat-while.js';

const patienceMs = 120_000;
const naps = { first: 50, longest: 2000 };

export function waitForStore<T>(attempt: () => Promise<T>): Promise<T> {
  return repeatWhile(isAway, patienceMs, attempt, naps);
}

const isAway = (error: unknown): boolean =>
  isGalleyError(error) && (error.code === 'STORE_UNAVAILABLE' || error.code === 'STORE_BUSY');
