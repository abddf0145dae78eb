// Waits for a promise, but not beyond the signal: what a stranger does with an abort is not relied upon.
import { GalleyError } from '../../core/model/error.js';

export function untilAborted<T>(work: PromiseLike<T>, signal: AbortSignal): Promise<T> {
  const promise = Promise.resolve(work);
  return new Promise((resolve, reject) => {
    const stop = () => reject(new GalleyError('CANCELLED', 'The call was stopped.'));
    if (signal.aborted) {
      promise.catch(() => undefined);
      stop();
      return;
    }
    signal.addEventListener('abort', stop, { once: true });
    promise.then(resolve, reject).finally(() => signal.removeEventListener('abort', stop));
  });
}
