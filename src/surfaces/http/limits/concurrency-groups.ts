// How many operations run at once: each family is a group of its own, so that slow ones never block quick ones. Who waits too
// long for what its group usually takes is refused, which keeps answers quick for those that are taken.

import { setImmediate as nextTurn } from 'node:timers/promises';
import { GalleyError } from '../../../core/model/error.js';

interface GroupLimits {
  readonly atOnce: number;
  readonly waiting: number;
  /** The least time one may wait; groups whose work takes long allow more. */
  readonly patienceMs: number;
}

export interface ConcurrencyGroups {
  run<T>(group: string, signal: AbortSignal, work: () => Promise<T>): Promise<T>;
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
  const groups = new Map<string, Group>();
  const sum = (of: (group: Group) => number) =>
    [...groups.values()].reduce((all, group) => all + of(group), 0);
  return {
    async run(name, signal, work) {
      const group = groups.get(name) ?? { running: 0, usual: 0, line: new Set() };
      groups.set(name, group);
      await enter(group, limits, signal);
      const startedAt = now();
      try {
        await listen?.();
        signal.throwIfAborted();
        return await work();
      } finally {
        group.usual += (now() - startedAt - group.usual) / 16;
        group.running -= 1;
        letIn(group);
      }
    },
    running: () => sum((group) => group.running),
    waiting: () => sum((group) => group.line.size),
  };
}

async function enter(group: Group, limits: GroupLimits, signal: AbortSignal): Promise<void> {
  signal.throwIfAborted();
  if (group.running < limits.atOnce && group.line.size === 0) {
    group.running += 1;
    return;
  }
  const patience = Math.max(limits.patienceMs, group.usual);
  const expected = ((group.line.size + 1) / limits.atOnce) * group.usual;
  if (group.line.size >= limits.waiting || expected > patience) throw busy();
  await new Promise<void>((resolve, reject) => {
    const leave = () => {
      clearTimeout(timer);
      signal.removeEventListener('abort', give);
      group.line.delete(go);
    };
    const go = () => {
      leave();
      group.running += 1;
      resolve();
    };
    const give = () => {
      leave();
      reject(signal.aborted ? signal.reason : busy());
    };
    const timer = setTimeout(give, patience);
    signal.addEventListener('abort', give, { once: true });
    group.line.add(go);
  });
}

function letIn(group: Group): void {
  const [first] = group.line;
  first?.();
}

function busy(): GalleyError {
  return new GalleyError('CONTEXT_BACKPRESSURE', 'The server is busy; try again in a moment.');
}

const maxTurns = 32;

/**
 * Gives whoever is knocking their turn before the next piece of work begins: the runtime takes in one connection for each turn
 * of its loop, and heavy work would let new callers wait unheard. Waits, one caller after another, until a turn passes in which
 * nothing arrives.
 */
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
