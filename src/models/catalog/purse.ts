// Money that several calls share: each reserves the most it may cost before it starts and settles what it did cost.
import { GalleyError } from '../../core/model/error.js';

export interface Purse {
  spent(): number;
  /** Waits while calls under way may still turn out cheaper; refuses when even then there is not enough. */
  reserve(dollars: number, signal: AbortSignal): Promise<void>;
  settle(reserved: number, cost: number): void;
}

export function createPurse(ceiling: number): Purse {
  let spent = 0;
  let reserved = 0;
  let underWay = 0;
  const waiting = new Set<() => void>();
  return {
    spent: () => spent,
    async reserve(dollars, signal) {
      while (spent + reserved + dollars > ceiling) {
        if (underWay === 0) throw reached(ceiling, spent, dollars);
        await settled(waiting, signal);
      }
      underWay += 1;
      reserved += dollars;
    },
    settle(dollars, cost) {
      underWay -= 1;
      // Sums of fractions leave a trace; with nobody under way there is nothing reserved.
      reserved = underWay === 0 ? 0 : reserved - dollars;
      spent += cost;
      for (const wake of waiting) wake();
    },
  };
}

/** Until some call has settled. */
async function settled(waiting: Set<() => void>, signal: AbortSignal): Promise<void> {
  let wake = () => {};
  const woken = new Promise<void>((resolve) => {
    wake = resolve;
  });
  waiting.add(wake);
  signal.addEventListener('abort', wake, { once: true });
  if (!signal.aborted) await woken;
  waiting.delete(wake);
  signal.removeEventListener('abort', wake);
  if (signal.aborted) throw new GalleyError('CANCELLED', 'The call was cancelled before it began.');
}

function reached(ceiling: number, spent: number, estimate: number): GalleyError {
  const short = (dollars: number) => Math.round(dollars * 10_000) / 10_000;
  return new GalleyError(
    'COST_CEILING_REACHED',
    `The next call may cost $${short(estimate)}, and $${short(spent)} of $${short(ceiling)} are spent; raise the ceiling to go on.`,
    { details: { ceiling, spent: short(spent), estimate: short(estimate) } },
  );
}
