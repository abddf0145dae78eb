// Gives whoever is knocking their turn before the next piece of work begins. The runtime takes in one connection for each turn
// of its loop; without this, heavy work lets new callers wait unheard instead of being answered or refused.
import { setImmediate as nextTurn } from 'node:timers/promises';

const mostTurns = 32;

/** Waits, one caller after another, until a turn of the loop passes in which nothing arrives. */
export function listenFirst(arrivals: () => number): () => Promise<void> {
  let last: Promise<void> = Promise.resolve();
  const listen = async () => {
    for (let turn = 0; turn < mostTurns; turn += 1) {
      const before = arrivals();
      await nextTurn();
      if (arrivals() === before) return;
    }
  };
  return () => {
    last = last.then(listen);
    return last;
  };
}
