import { describe, expect, it, vi } from 'vitest';
import { createConcurrencyGroups } from './concurrency-groups.js';

const never = new AbortController().signal;
const limits = { atOnce: 2, waiting: 3, patienceMs: 10_000, queued: 0, queueMs: 10_000 };
const me = { mark: 'me', weight: 1 };
const mine = { caller: me, signal: never };

function gate() {
  let open = () => {};
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  return { open: () => open(), opened };
}

describe('calls of one group', () => {
  it('run so many at once, in the order they came, and are refused when too many wait', async () => {
    const lanes = createConcurrencyGroups(limits, { now: () => 0 });
    const order: number[] = [];
    const door = gate();
    let most = 0;
    const work = (n: number) => async () => {
      most = Math.max(most, lanes.running());
      order.push(n);
      await door.opened;
    };
    const calls = [0, 1, 2, 3, 4].map((n) => lanes.run('a', mine, work(n)));
    await expect(lanes.run('a', mine, work(5))).rejects.toMatchObject({ code: 'CONTEXT_BACKPRESSURE' });
    expect([lanes.running(), lanes.waiting()]).toEqual([2, 3]);
    door.open();
    await Promise.all(calls);
    expect(order).toEqual([0, 1, 2, 3, 4]);
    expect(most).toBe(2);
    expect([lanes.running(), lanes.waiting()]).toEqual([0, 0]);
  });

  it('never wait for those of another group', async () => {
    const lanes = createConcurrencyGroups(limits, { now: () => 0 });
    const door = gate();
    const slow = [1, 2, 3].map(() => lanes.run('slow', mine, () => door.opened));
    expect(await lanes.run('quick', mine, async () => 'done')).toBe('done');
    door.open();
    await Promise.all(slow);
  });

  it('are refused when they would wait too long, at once when it can be foreseen', async () => {
    const lanes = createConcurrencyGroups({ ...limits, patienceMs: 20 }, { now: () => 0 });
    const door = gate();
    const held = [1, 2].map(() => lanes.run('a', mine, () => door.opened));
    await expect(lanes.run('a', mine, async () => 'late')).rejects.toMatchObject({
      code: 'CONTEXT_BACKPRESSURE',
    });
    door.open();
    await Promise.all(held);

    let time = 0;
    const clocked = createConcurrencyGroups({ ...limits, atOnce: 1, patienceMs: 100 }, { now: () => time });
    for (let n = 0; n < 40; n += 1)
      await clocked.run('a', mine, async () => {
        time += 80;
      });
    const second = gate();
    const running = clocked.run('a', mine, () => second.opened);
    const waiting = clocked.run('a', mine, async () => 'first in line');
    // The next would wait for two of eighty each.
    await expect(clocked.run('a', mine, async () => 'x')).rejects.toMatchObject({
      code: 'CONTEXT_BACKPRESSURE',
    });
    second.open();
    await Promise.all([running, waiting]);
  });

  it('are forgotten when their caller goes away while waiting, and go on when one fails', async () => {
    const lanes = createConcurrencyGroups({ ...limits, atOnce: 1 }, { now: () => 0 });
    const door = gate();
    const failing = lanes.run('a', mine, () => door.opened.then(() => Promise.reject(new TypeError('no'))));
    const leaving = new AbortController();
    const left = lanes.run('a', { caller: me, signal: leaving.signal }, async () => 'never');
    const next = lanes.run('a', mine, async () => 'next');
    leaving.abort();
    await expect(left).rejects.toMatchObject({ name: 'AbortError' });
    door.open();
    await expect(failing).rejects.toThrow('no');
    expect(await next).toBe('next');
    await vi.waitFor(() => expect([lanes.running(), lanes.waiting()]).toEqual([0, 0]));
  });
});

describe('calls of several callers', () => {
  /** A clock that goes from event to event once everything else has come to rest. */
  function simulated() {
    let time = 0;
    const events = new Set<{ at: number; done: () => void }>();
    const after = (ms: number, done: () => void) => {
      const event = { at: time + ms, done };
      events.add(event);
      return () => events.delete(event);
    };
    const rest = () => new Promise((resolve) => setImmediate(resolve));
    return {
      now: () => time,
      after,
      sleep: (ms: number) => new Promise<void>((resolve) => after(ms, resolve)),
      async until(isOver: () => boolean) {
        for (await rest(); !isOver(); await rest()) {
          const [next] = [...events].toSorted((one, other) => one.at - other.at);
          if (next === undefined) return;
          events.delete(next);
          time = next.at;
          next.done();
        }
      },
    };
  }

  it('are refused for their own flood alone', async () => {
    const clock = simulated();
    const groups = createConcurrencyGroups(
      { atOnce: 4, waiting: 64, patienceMs: 200, queued: 32, queueMs: 10_000 },
      clock,
    );
    const refused = new Map<string, number>();
    const waits: number[] = [];
    const send = (mark: string, ms: number) => {
      const sentAt = clock.now();
      const call = { caller: { mark, weight: 1 }, signal: new AbortController().signal };
      return groups
        .run('documents', call, () => {
          if (mark === 'modest') waits.push(clock.now() - sentAt);
          return clock.sleep(ms);
        })
        .catch(() => refused.set(mark, (refused.get(mark) ?? 0) + 1));
    };
    let isOver = false;
    const flood = async () => {
      while (!isOver) {
        await send('flood', 50);
        await clock.sleep(1);
      }
    };
    const flooding = Array.from({ length: 200 }, flood);
    const modest = (async () => {
      for (let n = 0; n < 40; n += 1) await send('modest', 50);
      isOver = true;
    })();
    await clock.until(() => isOver);
    await modest;
    await clock.until(() => false);
    await Promise.all(flooding);
    expect([groups.running(), groups.waiting()]).toEqual([0, 0]);
    expect(refused.get('modest')).toBeUndefined();
    expect(refused.get('flood')).toBeGreaterThan(0);
    expect(Math.max(...waits)).toBeLessThanOrEqual(50);
  });

  it('run one by one while more at once would gain nothing, and another caller is not kept waiting by it', async () => {
    const clock = simulated();
    let isBusy = true;
    const groups = createConcurrencyGroups(
      { atOnce: 4, waiting: 64, patienceMs: 10_000, queued: 32, queueMs: 10_000 },
      { ...clock, isBusy: () => isBusy },
    );
    const send = (mark: string) => {
      const call = { caller: { mark, weight: 1 }, signal: new AbortController().signal };
      return groups.run('documents', call, () => clock.sleep(1000));
    };
    const flood = Array.from({ length: 20 }, () => send('flood'));
    expect([groups.running(), groups.waiting()]).toEqual([1, 19]);
    const modest = send('modest');
    expect([groups.running(), groups.waiting()]).toEqual([2, 19]);
    isBusy = false;
    // Nobody comes or goes, and still the places are taken again, one after another: a pause may be over as soon as it is seen.
    await clock.until(() => clock.now() > 0);
    expect(groups.running()).toBe(2);
    await clock.until(() => groups.running() === 4);
    expect(clock.now()).toBeGreaterThanOrEqual(300);
    expect(clock.now()).toBeLessThan(1000);
    await clock.until(() => false);
    await Promise.all([...flood, modest]);
    expect([groups.running(), groups.waiting()]).toEqual([0, 0]);
  });

  it('give way at a seam to who asks for one thing at a time, and end when they are called off meanwhile', async () => {
    const clock = simulated();
    const groups = createConcurrencyGroups(
      { atOnce: 4, waiting: 64, patienceMs: 10_000, queued: 32, queueMs: 10_000 },
      { ...clock, isBusy: () => true },
    );
    const told: string[] = [];
    const send = (mark: string, nth: number, signal = new AbortController().signal) =>
      groups.run('documents', { caller: { mark, weight: 1 }, signal }, async (giveWay) => {
        await clock.sleep(20);
        await giveWay();
        told.push(`${mark} ${nth} goes on`);
        await clock.sleep(20);
      });
    const hungUp = new AbortController();
    const flood = [0, 1, 2, 3].map((nth) => send('flood', nth, nth === 1 ? hungUp.signal : undefined));
    const ends = Promise.allSettled(flood);
    // The second has begun.
    await clock.until(() => clock.now() >= 40);
    const modest = send('modest', 0);
    await clock.until(() => told.includes('modest 0 goes on'));
    hungUp.abort(new Error('gone'));
    await clock.until(() => false);
    await modest;
    expect((await ends).map(({ status }) => status)).toEqual([
      'fulfilled',
      'rejected',
      'fulfilled',
      'fulfilled',
    ]);
    expect(told).toEqual(['flood 0 goes on', 'modest 0 goes on', 'flood 2 goes on', 'flood 3 goes on']);
    expect([groups.running(), groups.waiting()]).toEqual([0, 0]);
  });
});
