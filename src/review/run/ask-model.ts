// One call that surely ends: the model keeps its own time, and one that does not is left behind.
import { GalleyError } from '../../core/model/error.js';
import type { Model, ModelAnswer, ModelRequest } from '../../models/model.js';

export interface AskOptions {
  readonly signal: AbortSignal;
  readonly onText?: (() => void) | undefined;
  /** How long a model may take to end after it was told to. */
  readonly graceMs?: number | undefined;
}

const usualGraceMs = 5_000;

export async function askModel(
  model: Model,
  request: ModelRequest,
  { signal, onText, graceMs = usualGraceMs }: AskOptions,
): Promise<ModelAnswer> {
  const late = new AbortController();
  const both = AbortSignal.any([signal, late.signal]);
  const timers: NodeJS.Timeout[] = [];
  const wait = (milliseconds: number, work: () => void) => timers.push(setTimeout(work, milliseconds));
  const leftBehind = new Promise<never>((_, reject) => {
    const leave = () => wait(graceMs, () => reject(endingOf(signal)));
    if (both.aborted) leave();
    else both.addEventListener('abort', leave, { once: true });
  });
  wait(request.timeouts.totalMs + graceMs, () => late.abort());
  try {
    const heard = onText === undefined ? {} : { onText };
    return await Promise.race([model.run(request, { signal: both, ...heard }), leftBehind]);
  } catch (error) {
    // A model that was stopped for being late says it was cancelled; nobody cancelled it.
    if (late.signal.aborted && !signal.aborted) throw endingOf(signal);
    throw error;
  } finally {
    for (const timer of timers) clearTimeout(timer);
  }
}

function endingOf(signal: AbortSignal): GalleyError {
  return signal.aborted
    ? new GalleyError('CANCELLED', 'The review was cancelled.')
    : new GalleyError('TIMEOUT', 'The model did not answer in time; give it more time or a smaller page.');
}
