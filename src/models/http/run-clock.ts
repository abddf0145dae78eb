// When does a run have to end? One clock for all its calls: cancelled by the caller, late to begin, or late to finish.
import { GalleyError } from '../../core/model/error.js';
import type { Timeouts } from '../model.js';

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

export interface ClockTarget {
  readonly title: string;
  readonly provider: string;
}

export function startClock(timeouts: Timeouts, caller: AbortSignal, target: ClockTarget): RunClock {
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
