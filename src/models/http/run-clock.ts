// When does a run have to end, and how long does it wait between calls? One clock for all its calls: cancelled by the caller, late
// to begin, or late to finish.
import { GalleyError } from '../../core/model/error.js';
import type { Timeouts } from '../contract/model.js';

export interface RunClock {
  /** Fires for whatever ends the run. */
  readonly signal: AbortSignal;
  /** Of the total time. */
  remainingMs(): number;
  /** A call begins; its first words are due. */
  expectWords(): void;
  /** They came, or the call is over. */
  expectNothing(): void;
  /** Why the run had to end, once it had to. */
  ending(): GalleyError | undefined;
  close(): void;
}

interface ClockTarget {
  readonly title: string;
  readonly provider: string;
}

export function startClock(timeouts: Timeouts, callers: AbortSignal, target: ClockTarget): RunClock {
  // A signal of our own: many runs may share the caller's, and listeners on it would be counted as a leak.
  const caller = AbortSignal.any([callers]);
  const controller = new AbortController();
  const begun = performance.now();
  let ending: GalleyError | undefined;
  let words: NodeJS.Timeout | undefined;
  const end = (error: GalleyError) => {
    ending ??= error;
    controller.abort();
  };
  const late = (phase: string, says: string) =>
    new GalleyError('TIMEOUT', `${target.title} ${says} in time.`, {
      details: { provider: target.provider, phase },
    });
  const cancel = () => {
    const isClock = caller.reason instanceof Error && caller.reason.name === 'TimeoutError';
    const cancelled = new GalleyError('CANCELLED', `The call of ${target.title} was cancelled.`, {
      details: { provider: target.provider },
    });
    end(isClock ? late('caller', 'did not finish') : cancelled);
  };
  const total = setTimeout(() => end(late('total', 'did not finish')), timerMs(timeouts.totalMs));
  caller.addEventListener('abort', cancel, { once: true });
  if (caller.aborted) cancel();
  const expectNothing = () => clearTimeout(words);
  return {
    signal: controller.signal,
    remainingMs: () => timeouts.totalMs - (performance.now() - begun),
    expectWords() {
      expectNothing();
      words = setTimeout(
        () => end(late('first-byte', 'did not begin to answer')),
        timerMs(timeouts.firstByteMs),
      );
    },
    expectNothing,
    ending: () => ending,
    close() {
      expectNothing();
      clearTimeout(total);
      caller.removeEventListener('abort', cancel);
    },
  };
}

/** A timer set for longer than this would fire at once. */
function timerMs(wanted: number): number {
  return Math.min(wanted, 2 ** 31 - 1);
}

/** Waits for a promise, but not beyond the signal: what a stranger does with an abort is not relied upon. */
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

export interface Patience {
  /** Calls per run at most. */
  readonly attempts: number;
  readonly random: () => number;
}

const firstMs = 500;
const maxWaitMs = 30_000;
const apartMs = 250;

/**
 * How long to wait before a failed call is made again: longer each time, never in step with others, and as long as asked.
 */
export function backoffMs(attempt: number, { random }: Patience, retryAfterMs: number | undefined): number {
  if (retryAfterMs !== undefined) return Math.ceil(retryAfterMs + random() * apartMs);
  const most = Math.min(maxWaitMs, firstMs * 2 ** (attempt - 1));
  return Math.ceil((most / 2) * (1 + random()));
}
