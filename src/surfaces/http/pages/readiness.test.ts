import { describe, expect, it } from 'vitest';
import type { Store } from '../../../store/store.js';
import { listedTokens } from '../access/token-sources.js';
import { serveForTest } from '../testing/serve-for-test.js';
import { createReadiness } from './readiness.js';

/** A store that answers as it is told to, and counts the looks. */
function storeThat(look: () => Promise<unknown>, checkWritable = async () => {}) {
  const counted = { looks: 0 };
  const projects = {
    get: () => {
      counted.looks += 1;
      return look();
    },
  };
  return { counted, store: async () => ({ projects, checkWritable }) as unknown as Store };
}

describe('/readyz', () => {
  it('is ready while the store answers, without a token', async () => {
    const server = await serveForTest({ tokens: listedTokens([]) });
    try {
      expect(await server.get('/readyz')).toMatchObject({ status: 200, text: '{"status":"ready"}' });
      expect(await server.post('/readyz', {})).toMatchObject({ status: 405 });
    } finally {
      await server.close();
    }
  });

  it('says so when the store is gone, and when it is back', async () => {
    let time = 0;
    let isThere = false;
    const { store } = storeThat(async () => {
      if (!isThere) throw new TypeError('gone');
    });
    const readiness = createReadiness({ store, now: () => time, isClosing: () => false });
    expect(await readiness()).toBe('store-unavailable');
    isThere = true;
    time += 1000;
    expect(await readiness()).toBe('ready');
  });

  it('is not ready while the store answers but cannot be written', async () => {
    const { store } = storeThat(
      async () => undefined,
      () => Promise.reject(new TypeError('read-only')),
    );
    const readiness = createReadiness({ store, now: () => 0, isClosing: () => false });
    expect(await readiness()).toBe('store-unavailable');
  });

  it('looks once, however many ask', async () => {
    let time = 0;
    const { store, counted } = storeThat(async () => undefined);
    const readiness = createReadiness({ store, now: () => time, isClosing: () => false });
    await Promise.all(Array.from({ length: 50 }, readiness));
    expect(counted.looks).toBe(1);
    time += 999;
    await readiness();
    expect(counted.looks).toBe(1);
    time += 1;
    await readiness();
    expect(counted.looks).toBe(2);
  });

  it('is not ready while closing, and asks nothing then', async () => {
    const { store, counted } = storeThat(async () => undefined);
    const readiness = createReadiness({ store, now: () => 0, isClosing: () => true });
    expect(await readiness()).toBe('closing');
    expect(counted.looks).toBe(0);
  });
});
