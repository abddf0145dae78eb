// A model whose calls surely end: it keeps its own time, and where it does not, it is left behind.
import { GalleyError } from '../../core/model/error.js';
import type { Model } from '../../models/contract/model.js';

const usualGraceMs = 5_000;

/** `graceMs`: how long a call may take to end after it was told to. */
export function withBackstop(model: Model, graceMs = usualGraceMs): Model {
  return {
    ...model,
    async run(request, options) {
      const { signal } = options;
      const stop = new AbortController();
      const timers: NodeJS.Timeout[] = [];
      const wait = (milliseconds: number, work: () => void) => timers.push(setTimeout(work, milliseconds));
      const end = () => stop.abort();
      let late = false;
      const leftBehind = new Promise<never>((_, reject) => {
        const leave = () => wait(graceMs, () => reject(endingOf(signal)));
        stop.signal.addEventListener('abort', leave, { once: true });
      });
      // Taken off again below: the signal of a long review must not hold every page that heard of it.
      signal.addEventListener('abort', end, { once: true });
      if (signal.aborted) end();
      wait(request.timeouts.totalMs + graceMs, () => {
        late = true;
        end();
      });
      try {
        return await Promise.race([model.run(request, { ...options, signal: stop.signal }), leftBehind]);
      } catch (error) {
        // A model that was stopped for being late says it was cancelled; nobody cancelled it.
        if (late && !signal.aborted) throw endingOf(signal);
        throw error;
      } finally {
        signal.removeEventListener('abort', end);
        for (const timer of timers) clearTimeout(timer);
      }
    },
  };
}

function endingOf(signal: AbortSignal): GalleyError {
  return signal.aborted
    ? new GalleyError('CANCELLED', 'The review was cancelled.')
    : new GalleyError('TIMEOUT', 'The model did not answer in time; give it more time or a smaller page.');
}
