import { describe, expect, it } from 'vitest';
import { drainAccepts } from './concurrency-groups.js';

describe('listening before work', () => {
  it('waits as long as something arrives, but not forever', async () => {
    let arrivals = 0;
    const knock = (times: number) => {
      if (times === 0) return;
      arrivals += 1;
      setImmediate(knock, times - 1);
    };
    const listen = drainAccepts(() => arrivals);
    knock(30);
    await listen();
    expect(arrivals).toBe(30);
    let going = true;
    const keepKnocking = () => {
      arrivals += 1;
      if (going) setImmediate(keepKnocking);
    };
    keepKnocking();
    await listen();
    going = false;
    expect(arrivals).toBeLessThan(1000);
  });

  it('lets one in after the other', async () => {
    const order: string[] = [];
    const listen = drainAccepts(() => 0);
    const enter = async (name: string) => {
      await listen();
      order.push(`${name} begins`);
      await new Promise(setImmediate);
      order.push(`${name} ends`);
    };
    await Promise.all([enter('first'), enter('second')]);
    expect(order.indexOf('first begins')).toBeLessThan(order.indexOf('second begins'));
    expect(order).toHaveLength(4);
  });
});
