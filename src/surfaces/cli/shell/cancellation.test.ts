import { afterEach, describe, expect, it } from 'vitest';
import { cancellation, runSignal } from './cancellation.js';

const before = new Map(
  (['SIGINT', 'SIGTERM', 'SIGHUP'] as const).map((signal) => [signal, process.listeners(signal)]),
);
afterEach(() => {
  for (const [signal, known] of before)
    for (const listener of process.listeners(signal))
      if (!known.includes(listener)) process.off(signal, listener);
});
const added = (signal: 'SIGINT' | 'SIGTERM' | 'SIGHUP') =>
  process.listenerCount(signal) - (before.get(signal)?.length ?? 0);

describe('cancellation', () => {
  it('listens once, however often it is asked for, and no longer after the first signal', () => {
    const signals = Array.from({ length: 20 }, () => cancellation());
    expect([added('SIGINT'), added('SIGTERM')]).toEqual([1, 1]);
    process.emit('SIGINT');
    expect(signals.every(({ aborted }) => aborted)).toBe(true);
    expect([added('SIGINT'), added('SIGTERM')]).toEqual([0, 0]);
    const next = cancellation();
    expect(next.aborted).toBe(false);
    process.emit('SIGTERM');
    expect(next.aborted).toBe(true);
  });
});

describe('the signal of a run', () => {
  it('listens once, and belongs to the run that began last', () => {
    const never = new AbortController().signal;
    const runs = Array.from({ length: 20 }, () => runSignal(never));
    expect([added('SIGINT'), added('SIGTERM'), added('SIGHUP')]).toEqual([1, 1, 1]);
    process.emit('SIGHUP');
    expect(runs.at(-1)?.aborted).toBe(true);
    expect(runSignal(never).aborted).toBe(false);
  });
});
