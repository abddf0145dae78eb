// How many operations run at once: each family has a lane of its own, so that slow ones never block quick ones. Who waits too
// long for what the lane usually takes is refused, which keeps answers quick for those that are taken.

import { setImmediate as nextTurn } from 'node:timers/promises';
import { GalleyError } from '../../../core/model/error.js';

interface GroupLimits {
  readonly atOnce: number;
  readonly waiting: number;
  /** The least time one may wait; lanes whose work takes long allow more. */
  readonly patienceMs: number;
}

export interface ConcurrencyGroups {
  run<T>(lane: string, signal: AbortSignal, work: () => Promise<T>): Promise<T>;
  running(): number;
  waiting(): number;
}

interface Group {
  running: number;
  /** Moving average of how long work takes, in milliseconds. */
  usual: number;
  readonly line: Set<() => void>;
}

interface GroupPorts {
  now(): number;
  /** Waited for before each piece of work. */
  listen?(): Promise<void>;
}

export function createConcurrencyGroups(limits: GroupLimits, { now, listen }: GroupPorts): ConcurrencyGroups {
  const lanes = new Map<string, Group>();
  const sum = (of: (lane: Group) => number) => [...lanes.values()].reduce((all, lane) => all + of(lane), 0);
  return {
    async run(name, signal, work) {
      const lane = lanes.get(name) ?? { running: 0, usual: 0, line: new Set() };
      lanes.set(name, lane);
      await enter(lane, limits, signal);
      const startedAt = now();
      try {
        await listen?.();
        signal.throwIfAborted();
        return await work();
      } finally {
        lane.usual += (now() - startedAt - lane.usual) / 16;
        lane.running -= 1;
        letIn(lane);
      }
    },
    running: () => sum((lane) => lane.running),
    waiting: () => sum((lane) => lane.line.size),
  };
}

async function enter(lane: Group, limits: GroupLimits, signal: AbortSignal): Promise<void> {
  signal.throwIfAborted();
  if (lane.running < limits.atOnce && lane.line.size === 0) {
    lane.running += 1;
    return;
  }
  const patience = Math.max(limits.patienceMs, lane.usual);
  const expected = ((lane.line.size + 1) / limits.atOnce) * lane.usual;
  if (lane.line.size >= limits.waiting || expected > patience) throw busy();
  await new Promise<void>((resolve, reject) => {
    const leave = () => {
      clearTimeout(timer);
      signal.removeEventListener('abort', give);
      lane.line.delete(go);
    };
    const go = () => {
      leave();
      lane.running += 1;
      resolve();
    };
    const give = () => {
      leave();
      reject(signal.aborted ? signal.reason : busy());
    };
    const timer = setTimeout(give, patience);
    signal.addEventListener('abort', give, { once: true });
    lane.line.add(go);
  });
}

function letIn(lane: Group): void {
  const [first] = lane.line;
  first?.();
}

function busy(): GalleyError {
  return new GalleyError('CONTEXT_BACKPRESSURE', 'The server is busy; try again in a moment.');
}

// Gives whoever is knocking their turn before the next piece of work begins. The runtime takes in one connection for each turn
// of its loop; without this, heavy work lets new callers wait unheard instead of being answered or refused.
const maxTurns = 32;

/** Waits, one caller after another, until a turn of the loop passes in which nothing arrives. */
export function drainAccepts(arrivals: () => number): () => Promise<void> {
  let last: Promise<void> = Promise.resolve();
  const listen = async () => {
    for (let turn = 0; turn < maxTurns; turn += 1) {
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
