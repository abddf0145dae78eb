// A model asked for many things, several at a time. One that fails is named and the others go on; a model that fails again and again
// is not asked for the rest.
import { isGalleyError } from '../../core/model/error.js';

interface Asking<Item> {
  readonly signal: AbortSignal;
  ask(item: Item): Promise<void>;
  fail(item: Item, error: unknown): void;
  /** After each that was asked for. */
  onDone(): void;
}

const atOnce = 4;
const mostFailures = 3;

export async function askEach<Item>(
  items: readonly Item[],
  { signal, ask, fail, onDone }: Asking<Item>,
): Promise<void> {
  const waiting = items[Symbol.iterator]();
  let failures = 0;
  let last: unknown;
  const work = async () => {
    for (const item of waiting) {
      if (failures >= mostFailures) {
        fail(item, last);
        continue;
      }
      try {
        await ask(item);
        failures = 0;
      } catch (error) {
        if (signal.aborted || !isGalleyError(error) || error.code === 'CANCELLED') throw error;
        failures += 1;
        last = error;
        fail(item, error);
      }
      onDone();
    }
  };
  await settled(Array.from({ length: Math.min(atOnce, items.length) }, work));
}

/** Whoever is still asking comes to an end before a failure is told. */
async function settled(workers: readonly Promise<void>[]): Promise<void> {
  for (const ended of await Promise.allSettled(workers)) if (ended.status === 'rejected') throw ended.reason;
}
