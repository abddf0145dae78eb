// Laws of the lines, on a clock of their own: calls arrive and end as events in order of time, and nothing else happens.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { sweepSize } from '../../../../test/sweep-size.js';
import { createFairQueue, type Ticket } from './fair-queue.js';

interface CallerPlan {
  readonly mark: string;
  readonly weight: number;
  /** Calls under way or waiting at any time; each is followed by another at once. */
  readonly loops: number;
  /** Of its calls, in turn. */
  readonly durations: readonly number[];
}

interface Call {
  readonly joinedAt: number;
  readonly duration: number;
}

interface Outcome {
  served: number;
  calls: number;
  longestWait: number;
}

interface Run {
  readonly outcomes: ReadonlyMap<string, Outcome>;
  /** Looks at the queue after every event. */
  readonly idleWhileWaiting: number;
  readonly mostRunning: number;
}

/** While somebody waits the lines are looked at now and then, not only when a call comes or ends. */
const lookMs = 40;

function simulate(places: number, callers: readonly CallerPlan[], until: number): Run {
  let now = 0;
  const queue = createFairQueue<Call>(
    () => places,
    () => now,
  );
  const running: { readonly ticket: Ticket<Call>; readonly endsAt: number }[] = [];
  const outcomes = new Map<string, Outcome>();
  const made = new Map<string, number>();
  let idleWhileWaiting = 0;
  let mostRunning = 0;
  const join = ({ mark, weight, durations }: CallerPlan) => {
    const nth = made.get(mark) ?? 0;
    made.set(mark, nth + 1);
    queue.join({ mark, weight }, { joinedAt: now, duration: durations[nth % durations.length] ?? 1 });
  };
  const begin = () => {
    for (let ticket = queue.next(); ticket !== undefined; ticket = queue.next()) {
      running.push({ ticket, endsAt: now + ticket.entry.duration });
      const outcome = outcomes.get(ticket.caller.mark) ?? { served: 0, calls: 0, longestWait: 0 };
      outcomes.set(ticket.caller.mark, outcome);
      outcome.longestWait = Math.max(outcome.longestWait, now - ticket.entry.joinedAt);
    }
    if (queue.waiting() > 0 && queue.running() < places) idleWhileWaiting += 1;
    mostRunning = Math.max(mostRunning, queue.running());
  };
  for (const caller of callers) for (let loop = 0; loop < caller.loops; loop += 1) join(caller);
  begin();
  while (now < until) {
    running.sort((one, other) => other.endsAt - one.endsAt);
    const ended = running.at(-1);
    if (ended === undefined) break;
    if (queue.waiting() > 0 && ended.endsAt > now + lookMs) {
      now += lookMs;
      begin();
      continue;
    }
    running.pop();
    now = ended.endsAt;
    const { caller, entry } = ended.ticket;
    queue.end(ended.ticket);
    const outcome = outcomes.get(caller.mark);
    if (outcome !== undefined) {
      outcome.served += entry.duration;
      outcome.calls += 1;
    }
    const plan = callers.find(({ mark }) => mark === caller.mark);
    if (plan !== undefined) join(plan);
    begin();
  }
  return { outcomes, idleWhileWaiting, mostRunning };
}

const longest = 40;
const plans = fc
  .array(
    fc.record({
      weight: fc.constantFrom(0.5, 1, 2, 4),
      loops: fc.integer({ min: 1, max: 60 }),
      durations: fc.array(fc.integer({ min: 1, max: longest }), { minLength: 1, maxLength: 5 }),
    }),
    { minLength: 1, maxLength: 6 },
  )
  .map((list) => list.map((plan, index) => ({ ...plan, mark: `caller ${index}` })));
const numRuns = sweepSize('plans of callers', { everyRun: 60, nightly: 1000 });
const until = 5_000;

describe('lines of callers', () => {
  it('leave no place empty while somebody waits, and never run more than twice the places', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 6 }), plans, (places, callers) => {
        const { idleWhileWaiting, mostRunning } = simulate(places, callers, until);
        expect(idleWhileWaiting).toBe(0);
        expect(mostRunning).toBeLessThanOrEqual(2 * places);
      }),
      { seed: 7, numRuns },
    );
  });

  it('are served by weight where all want more than they get', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 6 }), plans, (places, callers) => {
        const greedy = callers.map((caller) => ({ ...caller, loops: 4 * places + caller.loops }));
        const { outcomes } = simulate(places, greedy, until);
        const shares = greedy.map(({ mark, weight }) => (outcomes.get(mark)?.served ?? 0) / weight);
        const lightest = Math.min(...greedy.map(({ weight }) => weight));
        // What is under way at any moment, and what was foreseen wrongly, is all that may divide them.
        const apart = (6 * places * longest) / lightest;
        expect(Math.max(...shares) - Math.min(...shares)).toBeLessThanOrEqual(apart);
      }),
      { seed: 7, numRuns },
    );
  });

  it('starve nobody: who has one call at a time waits no longer than the others have calls of equal right', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 6 }), plans, (places, callers) => {
        const modest = { mark: 'modest', weight: 1, loops: 1, durations: [10] };
        const { outcomes } = simulate(places, [...callers, modest], until);
        const weights = callers.reduce((sum, { weight }) => sum + Math.max(1, weight), 1);
        const bound = (2 * longest * (weights + places)) / Math.min(places, 1);
        expect(outcomes.get('modest')?.calls).toBeGreaterThan(0);
        expect(outcomes.get('modest')?.longestWait).toBeLessThanOrEqual(bound);
      }),
      { seed: 7, numRuns },
    );
  });

  it.each([1, 4])('let a caller in at once beside one with fifty times its share (%i places)', (places) => {
    const flood = { mark: 'flood', weight: 1, loops: 50 * places, durations: [10] };
    const modest = { mark: 'modest', weight: 1, loops: 1, durations: [10] };
    const { outcomes } = simulate(places, [flood, modest], until);
    expect(outcomes.get('modest')?.longestWait).toBeLessThanOrEqual(10);
    // Long calls of the flood are no wall either.
    const long = simulate(places, [{ ...flood, durations: [5000] }, modest], until);
    expect(long.outcomes.get('modest')?.longestWait).toBeLessThanOrEqual(lookMs);
    // Nor are they where its own take as long, as calls of models do, and there is more than one place.
    const alike = [flood, modest].map((plan) => ({ ...plan, durations: [500] }));
    const models = simulate(places, alike, until).outcomes.get('modest');
    expect(models?.longestWait).toBeLessThanOrEqual(places === 1 ? 500 : lookMs);
  });

  it('let a caller in at once that comes while another has calls under way at every place', () => {
    const queue = createFairQueue<string>(
      () => 4,
      () => 10,
    );
    for (let nth = 0; nth < 40; nth += 1) queue.join({ mark: 'flood', weight: 1 }, 'long');
    while (queue.next() !== undefined);
    expect(queue.running()).toBe(4);
    const modest = queue.join({ mark: 'modest', weight: 1 }, 'quick');
    expect(queue.next()).toBe(modest);
  });

  it('wait for the rest of the call under way and no more, where all share one processor', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 5, max: 60 }),
        fc.double({ min: 0, max: 0.9, noNaN: true }),
        (work, part) => {
          const pause = Math.round(part * work);
          const times = onOneProcessor({ work, pause, flood: 50 });
          // The first calls of a caller are a guess.
          expect(Math.max(...times.slice(2))).toBeLessThanOrEqual(2 * work - pause + 2);
        },
      ),
      { seed: 7, numRuns },
    );
  });
});

describe('calls with seams, on one processor', () => {
  it('give way to who asks for one thing at a time: it waits for a stretch of theirs, not for a call', () => {
    fc.assert(
      fc.property(
        fc.array(fc.integer({ min: 2, max: 20 }), { minLength: 2, maxLength: 5 }),
        fc.integer({ min: 0, max: 30 }),
        fc.integer({ min: 1, max: 3 }),
        (stretches, pause, modest) => {
          const { times, flood } = withSeams({ stretches, pause, modest, calls: 60 });
          const work = stretches.reduce((sum, each) => sum + each, 0);
          // Of the flood half a call, which is its right, and what is left of the stretch under way; others who ask for one thing at
          // a time have the same right.
          const most = modest * (1.5 * work + Math.max(...stretches)) + 2;
          expect(Math.max(...times.slice(2 * modest + 2))).toBeLessThanOrEqual(most);
          // Nobody is starved for it: the flood keeps a third of what is divided between two, less beside more.
          expect(flood.share).toBeGreaterThanOrEqual(0.8 / (1 + 2 * modest));
        },
      ),
      { seed: 7, numRuns },
    );
  });

  it('end, whoever stalls between two of them', () => {
    let now = 0;
    const queue = createFairQueue<string>(
      () => 1,
      () => now,
    );
    const flood = [
      queue.join({ mark: 'flood', weight: 1 }, 'a'),
      queue.join({ mark: 'flood', weight: 1 }, 'b'),
    ];
    expect(queue.next()).toBe(flood[0]);
    now = 10;
    const modest = queue.join({ mark: 'modest', weight: 1 }, 'c');
    let isOn = false;
    const goOn = () => {
      isOn = true;
    };
    // Nobody has given way yet, so that nobody knows that anybody can.
    expect(queue.giveWay(flood[0] as Ticket<string>, goOn)).toBe(false);
    isOn = false;
    expect(queue.next()).toBe(modest);
    expect([queue.giveWay(flood[0] as Ticket<string>, goOn), queue.paused()]).toEqual([true, 1]);
    now = 20;
    queue.resume();
    expect(isOn).toBe(false);
    now = 1_000;
    queue.resume();
    expect([isOn, queue.paused()]).toEqual([true, 0]);
  });
});

interface SeamPlan {
  /** Of every call; between two of them it may give way. */
  readonly stretches: readonly number[];
  /** Of the modest, between two calls. */
  readonly pause: number;
  /** How many ask for one thing at a time, beside one with fifty. */
  readonly modest: number;
  readonly calls: number;
}

/** One thread: a stretch is never interrupted, and who may go on is looked at when one ends. */
function withSeams({ stretches, pause, modest, calls }: SeamPlan) {
  let now = 0;
  const queue = createFairQueue<{ stretch: number; readonly since: number }>(
    () => 1,
    () => now,
  );
  const join = (mark: string, since = now) => queue.join({ mark, weight: 1 }, { stretch: 0, since });
  type Running = ReturnType<typeof join>;
  const ready: Running[] = [];
  const comesAt = new Map(Array.from({ length: modest }, (_, n) => [`modest ${n}`, n]));
  const times: number[] = [];
  let [floodTime, floodFrom] = [0, 0];
  /** Who came during a stretch is heard at its end. */
  const listen = () => {
    for (const [mark, at] of comesAt) {
      if (at > now) continue;
      comesAt.delete(mark);
      join(mark, at);
    }
    for (let ticket = queue.next(); ticket !== undefined; ticket = queue.next()) ready.push(ticket);
  };
  for (let nth = 0; nth < 50; nth += 1) join('flood');
  while (times.length < calls) {
    listen();
    const ticket = ready.shift();
    if (ticket === undefined) {
      now += 1;
      queue.resume();
      continue;
    }
    const { caller, entry } = ticket;
    const took = stretches[entry.stretch] as number;
    now += took;
    if (times.length < calls / 4) [floodTime, floodFrom] = [0, now];
    else if (caller.mark === 'flood') floodTime += took;
    entry.stretch += 1;
    if (entry.stretch < stretches.length) {
      listen();
      queue.giveWay(ticket, () => ready.push(ticket));
      continue;
    }
    queue.end(ticket);
    if (caller.mark === 'flood') join('flood');
    else {
      times.push(now - entry.since);
      comesAt.set(caller.mark, now + pause);
    }
  }
  return { times, flood: { share: floodTime / (now - floodFrom) } };
}

/** Every call needs the same work of one processor, which is divided evenly among those that run; how long those of the modest one take. */
function onOneProcessor(plan: { readonly work: number; readonly pause: number; readonly flood: number }) {
  let now = 0;
  const queue = createFairQueue<{ left: number; readonly since: number }>(
    () => 1,
    () => now,
  );
  const join = (mark: string) => queue.join({ mark, weight: 1 }, { left: plan.work, since: now });
  const running = new Set<ReturnType<typeof join>>();
  const times: number[] = [];
  let nextModest = plan.work / 2;
  for (let nth = 0; nth < plan.flood; nth += 1) join('flood');
  for (; times.length < 40; now += 1) {
    if (now >= nextModest) {
      join('modest');
      nextModest = Number.POSITIVE_INFINITY;
    }
    for (let ticket = queue.next(); ticket !== undefined; ticket = queue.next()) running.add(ticket);
    const share = 1 / running.size;
    for (const ticket of running) {
      ticket.entry.left -= share;
      if (ticket.entry.left > 1e-9) continue;
      running.delete(ticket);
      queue.end(ticket);
      if (ticket.caller.mark === 'flood') join('flood');
      else {
        times.push(now + 1 - ticket.entry.since);
        nextModest = now + 1 + plan.pause;
      }
    }
  }
  return times;
}
