import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Meter } from '../core/model/meter.js';
import { nastyText } from '../testing/nasty-text.js';
import { loadMeter, meterIds } from './load-meter.js';
import { longestHead } from './longest-head.js';

const wellFormed = nastyText(60).map((text) => text.toWellFormed());
const heads = (text: string): string[] => {
  const points = [...text];
  return [...points.keys(), points.length].map((count) => points.slice(0, count).join(''));
};

describe.each(meterIds)('longestHead with %s', (id) => {
  it('fits, is a head, and does not split a character', async () => {
    const meter = await loadMeter(id);
    fc.assert(
      fc.property(wellFormed, fc.nat({ max: 60 * meter.scale }), (text, limit) => {
        const head = longestHead(text, limit, meter);
        expect(text.startsWith(head)).toBe(true);
        expect(head.isWellFormed()).toBe(true);
        expect(meter.weigh(head)).toBeLessThanOrEqual(limit);
      }),
      { numRuns: 500 },
    );
  });
});

describe('longestHead', () => {
  it.each(['bytes', 'codepoints', 'chars/4'])('is the longest there is with %s', async (id) => {
    const meter = await loadMeter(id);
    fc.assert(
      fc.property(wellFormed, fc.nat({ max: 150 }), (text, limit) => {
        expect(longestHead(text, limit, meter)).toBe(longestByTrying(text, limit, meter));
      }),
      { numRuns: 300 },
    );
  });

  it('comes within two tokens of the longest there is with a tokenizer', async () => {
    const meter = await loadMeter('o200k_base');
    fc.assert(
      fc.property(wellFormed, fc.nat({ max: 60 }), (text, limit) => {
        const best = longestByTrying(text, limit, meter);
        expect(meter.weigh(best) - meter.weigh(longestHead(text, limit, meter))).toBeLessThanOrEqual(2);
      }),
      { numRuns: 500 },
    );
  });

  it('keeps everything where it fits and nothing where nothing may stay', async () => {
    const meter = await loadMeter('o200k_base');
    expect(longestHead('中文 text', 1000, meter)).toBe('中文 text');
    expect(longestHead('中文 text', 0, meter)).toBe('');
    expect(longestHead('中文 text', -1, meter)).toBe('');
    expect(longestHead('', 10, meter)).toBe('');
  });

  it('weighs a few times the answer, not the text over and over', async () => {
    const o200k = await loadMeter('o200k_base');
    let weighed = 0;
    const counting: Meter = {
      ...o200k,
      weigh(text) {
        weighed += text.length;
        return o200k.weigh(text);
      },
    };
    const text = '他把最后一行铅字排进字盘，抬头看了看窗外的雪。The press was warm.\n'.repeat(20_000);
    const head = longestHead(text, 300_000, counting);
    expect(o200k.weigh(head)).toBe(300_000);
    expect(weighed).toBeLessThan(head.length * 12);
  });
});

function longestByTrying(text: string, limit: number, meter: Meter): string {
  return heads(text).findLast((head) => meter.weigh(head) <= limit) ?? '';
}
