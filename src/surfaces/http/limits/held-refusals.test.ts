import { EventEmitter } from 'node:events';
import { describe, expect, it } from 'vitest';
import { heldRefusals } from './held-refusals.js';

function place() {
  let time = 0;
  const waiting: { at: number; done: () => void }[] = [];
  const refusals = heldRefusals({
    now: () => time,
    after: (ms, done) => {
      const one = { at: time + ms, done };
      waiting.push(one);
      return () => waiting.splice(waiting.indexOf(one), 1);
    },
  });
  const connection = () => Object.assign(new EventEmitter(), { destroyed: false }) as never;
  const told: string[] = [];
  const refuse = (caller: string, outgoing = connection()) =>
    refusals.turn(caller, outgoing).then(() => void told.push(caller));
  const pass = async (ms: number) => {
    time += ms;
    for (const { done } of waiting.filter(({ at }) => at <= time)) done();
    await Promise.resolve();
    await Promise.resolve();
  };
  return { refusals, refuse, pass, told, waiting, connection };
}

describe('refusals of one caller', () => {
  it('go out at once while they are few, and one by one when they are many', async () => {
    const { refuse, pass, told } = place();
    for (let nth = 0; nth < 50; nth += 1) void refuse('loud');
    await pass(0);
    expect(told).toHaveLength(20);
    await pass(500);
    expect(told).toHaveLength(30);
    await pass(1000);
    expect(told).toHaveLength(50);
  });

  it('keep nobody else waiting, and are forgotten when it stops', async () => {
    const { refuse, pass, told } = place();
    for (let nth = 0; nth < 50; nth += 1) void refuse('loud');
    void refuse('quiet');
    await pass(0);
    expect(told.filter((caller) => caller === 'quiet')).toHaveLength(1);
    await pass(10_000);
    void refuse('loud');
    await pass(0);
    expect(told).toHaveLength(52);
  });

  it('are never held for longer than five seconds', async () => {
    const { refuse, pass, told } = place();
    for (let nth = 0; nth < 1000; nth += 1) void refuse('loud');
    await pass(4999);
    expect(told.length).toBeLessThan(130);
    await pass(1);
    expect(told).toHaveLength(1000);
  });

  it('are dropped with their connection, and go out when the server closes', async () => {
    const { refusals, refuse, pass, told, waiting, connection } = place();
    for (let nth = 0; nth < 20; nth += 1) void refuse('loud');
    const gone = connection();
    void refuse('loud', gone);
    void refuse('loud');
    expect(waiting).toHaveLength(2);
    (gone as EventEmitter).emit('close');
    expect(waiting).toHaveLength(1);
    refusals.releaseAll();
    await pass(0);
    expect([told.length, waiting.length]).toEqual([22, 0]);
  });
});
