import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { nastyText } from '../testing/nasty-text.js';
import { createCountCache, withCountCache } from './count-cache.js';
import { loadMeter } from './load-meter.js';
import { bytesMeter } from './plain-meters.js';

const long = 'A line that is long enough to be remembered by its content and not weighed again.\n';

describe('the count cache', () => {
  it('weighs a text once for every meter', async () => {
    const cache = createCountCache();
    const o200k = withCountCache(await loadMeter('o200k_base'), cache);
    const cl100k = withCountCache(await loadMeter('cl100k_base'), cache);
    const chinese = '他把最后一行铅字排进字盘，抬头看了看窗外的雪。'.repeat(5);
    const weights = [o200k.weigh(chinese), cl100k.weigh(chinese)];
    expect(weights[0]).not.toBe(weights[1]);
    expect([o200k.weigh(chinese), cl100k.weigh(chinese)]).toEqual(weights);
    expect(cache.statistics()).toEqual({ hits: 2, misses: 2, measured: chinese.length * 2 });
  });

  it('answers as the meter itself', async () => {
    const meter = await loadMeter('o200k_base');
    const cached = withCountCache(meter, createCountCache({ maxEntries: 10 }));
    fc.assert(
      fc.property(nastyText(60), (text) => {
        expect(cached.weigh(text)).toBe(meter.weigh(text));
        expect(cached.weigh(text)).toBe(meter.weigh(text));
      }),
      { numRuns: 500 },
    );
  });

  it('weighs a text with what stands behind it as the two joined, and once', async () => {
    const meter = await loadMeter('o200k_base');
    const cache = createCountCache();
    const cached = withCountCache(meter, cache);
    fc.assert(
      fc.property(nastyText(60), (tail) => {
        const text = long + tail;
        for (const behind of ['', '\n', '\n\n', '。', '']) {
          expect(cached.weighWith?.(text, behind)).toBe(meter.weigh(text + behind));
        }
      }),
      { numRuns: 200 },
    );
    cache.clear();
    const texts = [cached.weighWith?.(long, '\n'), cached.weigh(`${long}\n`)];
    expect(texts[0]).toBe(texts[1]);
    expect(cache.statistics()).toEqual({ hits: 1, misses: 1, measured: long.length + 1 });
  });

  it('is bounded: the least recently used weight is forgotten', async () => {
    const cache = createCountCache({ maxEntries: 2 });
    const meter = withCountCache(await loadMeter('o200k_base'), cache);
    for (const text of [`1${long}`, `2${long}`, `3${long}`, `1${long}`]) meter.weigh(text);
    expect(cache.statistics()).toMatchObject({ hits: 0, misses: 4 });
  });

  it('starts anew when cleared', async () => {
    const cache = createCountCache();
    const meter = withCountCache(await loadMeter('o200k_base'), cache);
    meter.weigh(long);
    cache.clear();
    expect(cache.statistics()).toEqual({ hits: 0, misses: 0, measured: 0 });
    meter.weigh(long);
    expect(cache.statistics().misses).toBe(1);
  });

  it('leaves meters alone that are cheaper than a hash', () => {
    expect(withCountCache(bytesMeter, createCountCache())).toBe(bytesMeter);
  });

  it('remembers nothing when the tokenizer fails', async () => {
    const cache = createCountCache();
    let broken = true;
    const o200k = await loadMeter('o200k_base');
    const meter = withCountCache({ ...o200k, weigh: (text) => (broken ? fail() : o200k.weigh(text)) }, cache);
    expect(() => meter.weigh(long)).toThrow(RangeError);
    broken = false;
    expect(meter.weigh(long)).toBe(o200k.weigh(long));
  });
});

function fail(): never {
  throw new RangeError('out of memory');
}
