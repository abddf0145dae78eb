// The press's deadline port: work under a time limit, with a signal of its own that is aborted when time is up.
import { GalleyError } from '../../core/model/error.js';
import type { Deadline } from '../../core/model/press.js';

export const deadline: Deadline = async (limitMs, signal, work) => {
  signal.throwIfAborted();
  const own = new AbortController();
  let timer: ReturnType<typeof setTimeout> | undefined;
  let onAbort: (() => void) | undefined;
  const ended = new Promise<never>((_resolve, reject) => {
    const stop = (code: 'TIMEOUT' | 'CANCELLED', message: string) => {
      own.abort();
      reject(new GalleyError(code, message));
    };
    timer = setTimeout(() => stop('TIMEOUT', 'A source did not answer in time.'), limitMs);
    onAbort = () => stop('CANCELLED', 'The assembly was cancelled.');
    signal.addEventListener('abort', onAbort, { once: true });
  });
  try {
    return await Promise.race([work(own.signal), ended]);
  } finally {
    clearTimeout(timer);
    if (onAbort !== undefined) signal.removeEventListener('abort', onAbort);
  }
};
