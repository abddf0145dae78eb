// When does a refusal go out? To refuse costs nearly what a quick call does, so one who sends again at once, refused or not, would have
// the server do nothing but refuse, and everybody else would pay for it. A caller has its first refusals at once and the others one by
// one; what is held is a few bytes and a connection, and who hangs up is forgotten.
import type { ServerResponse } from 'node:http';

export interface HeldRefusals {
  /** Resolves when the next refusal of this caller may go out, or has nobody to go to any more. */
  turn(caller: string, outgoing: Pick<ServerResponse, 'once' | 'off' | 'destroyed'>): Promise<void>;
  /** Nobody waits any longer. */
  releaseAll(): void;
}

interface RefusalPorts {
  now(): number;
  /** Calls back after so long, unless it is called off. */
  after?(ms: number, done: () => void): () => void;
}

/** Between two refusals of one caller. */
const paceMs = 50;
/** So many go out at once. */
const atOnce = 20;
const longestMs = 5000;
const maxCallers = 20_000;

const afterTimeout = (ms: number, done: () => void) => {
  const timer = setTimeout(done, ms);
  return () => clearTimeout(timer);
};

export function heldRefusals({ now, after = afterTimeout }: RefusalPorts): HeldRefusals {
  /** Up to when the refusals of a caller are spread. */
  const spread = new Map<string, number>();
  const held = new Set<() => void>();
  let isReleased = false;

  const waitOf = (caller: string): number => {
    const at = now();
    const ahead = Math.max(at, spread.get(caller) ?? at) + paceMs - at;
    const wait = Math.max(0, ahead - atOnce * paceMs);
    // Re-inserted, so that the first ones are those not refused for longest.
    spread.delete(caller);
    spread.set(caller, at + Math.min(ahead, longestMs + atOnce * paceMs));
    const [oldest] = spread.keys();
    if (spread.size > maxCallers && oldest !== undefined) spread.delete(oldest);
    return Math.min(wait, longestMs);
  };
  return {
    turn(caller, outgoing) {
      const wait = waitOf(caller);
      if (wait === 0 || isReleased || outgoing.destroyed) return Promise.resolve();
      return new Promise((resolve) => {
        const done = () => {
          held.delete(done);
          outgoing.off('close', done);
          callOff();
          resolve();
        };
        const callOff = after(wait, done);
        outgoing.once('close', done);
        held.add(done);
      });
    },
    releaseAll() {
      isReleased = true;
      for (const done of held) done();
    },
  };
}
