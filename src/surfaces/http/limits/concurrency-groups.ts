// How many operations run at once: each family is a group of its own, so that slow ones never block quick ones, and within a
// group callers share its places by weight. Who sends more than its share waits for itself, and beyond what a caller may have
// waiting is refused: its own calls, never those of others.

import { setImmediate as nextTurn } from 'node:timers/promises';
import { GalleyError } from '../../../core/model/error.js';
import { createFairQueue, type FairQueue, type Share } from './fair-queue.js';

interface GroupLimits {
  readonly atOnce: number;
  /** Of one caller. */
  readonly waiting: number;
  /** The least time one may wait; groups whose work takes long allow more. */
  readonly patienceMs: number;
  /** So many of a caller may wait longer, so that who sends a few dozen at once has all of them done. */
  readonly queued: number;
  readonly queueMs: number;
}

export interface ConcurrencyGroups {
  /** Work may be told to give way, at seams it chooses, to calls that come first. */
  run<T>(group: string, call: GroupCall, work: (giveWay: () => Promise<void>) => Promise<T>): Promise<T>;
  running(): number;
  waiting(): number;
}

interface GroupCall {
  readonly caller: Share;
  readonly signal: AbortSignal;
}

interface Group {
  /** Moving average of how long work takes, in milliseconds. */
  usual: number;
  readonly queue: FairQueue<() => void>;
  /** Somebody looks now and then whether places have become free by themselves. */
  isWatched: boolean;
}

interface GroupPorts {
  now(): number;
  /** Whether more at once would gain nothing; then one runs, and beside it who is due. */
  isBusy?(): boolean;
  /** Waited for before each piece of work. */
  listen?(): Promise<void>;
  /** Calls back after so long, unless it is called off. */
  after?(ms: number, done: () => void): () => void;
}

const afterTimeout = (ms: number, done: () => void) => {
  const timer = setTimeout(done, ms);
  return () => clearTimeout(timer);
};

export function createConcurrencyGroups(
  limits: GroupLimits,
  { now, isBusy, listen, after = afterTimeout }: GroupPorts,
): ConcurrencyGroups {
  const groups = new Map<string, Group>();
  const groupOf = (name: string): Group => {
    const known = groups.get(name);
    if (known !== undefined) return known;
    const places = placesBy(limits.atOnce, now, isBusy);
    // Without a look at the processor no place becomes free by itself.
    const group: Group = { usual: 0, queue: createFairQueue(places, now), isWatched: isBusy === undefined };
    groups.set(name, group);
    return group;
  };
  const sum = (of: (group: Group) => number) =>
    [...groups.values()].reduce((all, group) => all + of(group), 0);

  return {
    async run(name, call, work) {
      const group = groupOf(name);
      const { end, giveWay } = await enter(group, call, { limits, after });
      const startedAt = now();
      try {
        await listen?.();
        call.signal.throwIfAborted();
        return await work(async () => {
          // Whoever is knocking counts.
          await listen?.();
          await giveWay();
          call.signal.throwIfAborted();
        });
      } finally {
        group.usual += (now() - startedAt - group.usual) / 16;
        end();
      }
    },
    running: () => sum(({ queue }) => queue.running()),
    waiting: () => sum(({ queue }) => queue.waiting()),
  };
}

const growMs = 100;

/** One while nothing is to be gained by more; after that one more from time to time, since a pause may be over as soon as it is seen. */
function placesBy(atOnce: number, now: () => number, isBusy?: () => boolean): () => number {
  let [places, changedAt] = [atOnce, now()];
  return () => {
    if (isBusy?.()) [places, changedAt] = [1, now()];
    else if (places < atOnce && now() - changedAt >= growMs) [places, changedAt] = [places + 1, now()];
    return places;
  };
}

interface Entered {
  /** Gives the place back. */
  readonly end: () => void;
  readonly giveWay: () => Promise<void>;
}

/** Resolves when it is the call's turn. */
async function enter(
  group: Group,
  { caller, signal }: GroupCall,
  { limits, after }: { readonly limits: GroupLimits; readonly after: NonNullable<GroupPorts['after']> },
): Promise<Entered> {
  const { queue, usual } = group;
  signal.throwIfAborted();
  const before = queue.waitingOf(caller.mark);
  let isBegun = false;
  let begin = () => {};
  const ticket = queue.join(caller, () => {
    isBegun = true;
    begin();
  });
  letIn(queue);
  const entered: Entered = {
    end() {
      queue.end(ticket);
      letIn(queue);
    },
    giveWay: () =>
      new Promise((goOn) => {
        if (queue.giveWay(ticket, goOn)) watch(group, after);
      }),
  };
  if (isBegun) return entered;
  const patience = Math.max(before < limits.queued ? limits.queueMs : limits.patienceMs, usual);
  const places = queue.placesOf(caller);
  if (before >= limits.waiting || ((before + 1) / places) * usual > patience) {
    queue.leave(ticket);
    throw busy({ places, usual, limits });
  }
  watch(group, after);
  await new Promise<void>((resolve, reject) => {
    const settle = (how: () => void) => {
      callOff();
      signal.removeEventListener('abort', leave);
      how();
    };
    const leave = () => {
      if (!queue.leave(ticket)) return;
      settle(() => reject(signal.aborted ? signal.reason : busy({ places, usual, limits })));
      // Whoever stood before others may have kept them waiting.
      letIn(queue);
    };
    const callOff = after(patience, leave);
    signal.addEventListener('abort', leave, { once: true });
    begin = () => settle(resolve);
  });
  return entered;
}

const watchMs = 40;

function watch(group: Group, after: NonNullable<GroupPorts['after']>): void {
  if (group.isWatched) return;
  group.isWatched = true;
  after(watchMs, () => {
    group.isWatched = false;
    letIn(group.queue);
    group.queue.resume();
    if (group.queue.waiting() > 0 || group.queue.paused() > 0) watch(group, after);
  });
}

function letIn(queue: FairQueue<() => void>): void {
  for (let ticket = queue.next(); ticket !== undefined; ticket = queue.next()) ticket.entry();
}

/** Says how many calls at once are all done in time, and when the first of those that wait will be. */
function busy({
  places,
  usual,
  limits,
}: {
  readonly places: number;
  readonly usual: number;
  readonly limits: GroupLimits;
}): GalleyError {
  const inTime = usual === 0 ? limits.queued : Math.floor((Math.max(limits.queueMs, usual) / usual) * places);
  const atOnce = Math.max(1, Math.floor(places) + Math.min(limits.queued, inTime));
  const retryAfter = Math.max(1, Math.ceil(usual / places / 1000));
  return new GalleyError(
    'CONTEXT_BACKPRESSURE',
    `Too many calls of this caller wait already; send at most ${atOnce} at once and try again in a moment.`,
    { details: { atOnce, retryAfter } },
  );
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
