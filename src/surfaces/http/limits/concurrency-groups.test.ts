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
