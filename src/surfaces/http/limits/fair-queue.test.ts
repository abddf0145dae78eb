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
    const ended = running.pop();
    if (ended === undefined) break;
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
    expect(long.outcomes.get('modest')?.longestWait).toBe(0);
  });
});
