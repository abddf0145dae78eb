// How often may one caller call? A bucket each: it holds two seconds' worth and fills evenly.
import { GalleyError } from '../../../core/model/error.js';

const maxCallers = 20_000;

export interface CallRate {
  take(caller: string): void;
}

export function createCallRate(perSecond: number, now: () => number): CallRate {
  const depth = perSecond * 2;
  const buckets = new Map<string, { left: number; at: number }>();
  return {
    take(caller) {
      const at = now();
      const { left, at: before } = buckets.get(caller) ?? { left: depth, at };
      const filled = Math.min(depth, left + (Math.max(0, at - before) / 1000) * perSecond);
      if (filled < 1) {
        throw new GalleyError(
          'CONTEXT_BACKPRESSURE',
          'This caller asks too often; slow down and try again in a moment.',
          { details: { perSecond } },
        );
      }
      // Re-inserted, so that the first ones are those not seen for longest.
      buckets.delete(caller);
      buckets.set(caller, { left: filled - 1, at });
      const [oldest] = buckets.keys();
      if (buckets.size > maxCallers && oldest !== undefined) buckets.delete(oldest);
    },
  };
}
