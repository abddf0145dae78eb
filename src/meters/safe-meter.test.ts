import { describe, expect, it } from 'vitest';
import type { GalleyError } from '../core/model/error.js';
import { amountOf, type Meter } from '../core/model/meter.js';
import { cjkEstimateMeter } from './cjk-estimate-meter.js';
import { loadMeter } from './load-meter.js';
import { safeMeter } from './safe-meter.js';

const text = 'The tokenizer fails on this text. 分词器在这段文字上失败。\n';

describe('a meter that survives a failing tokenizer', () => {
  it('is the meter itself while nothing fails', async () => {
    const o200k = await loadMeter('o200k_base');
    const errors: GalleyError[] = [];
    const meter = safeMeter(o200k, cjkEstimateMeter, (error) => errors.push(error));
    expect(meter).toMatchObject({ id: 'o200k_base', exact: true, scale: 1 });
    expect(meter.weigh(text)).toBe(o200k.weigh(text));
    expect(meter.seam?.('wor', 'd')).toBe(o200k.seam?.('wor', 'd'));
    expect(errors).toEqual([]);
  });

  it.each<[string, (text: string) => number]>([
    ['throws', () => JSON.parse('{')],
    ['answers NaN', () => Number.NaN],
    ['answers a negative weight', () => -1],
  ])(
    'falls back in the same scale and says so once when the tokenizer %s [budget.fallback]',
    async (_, weigh) => {
      const errors: GalleyError[] = [];
      const broken: Meter = { ...(await loadMeter('o200k_base')), weigh };
      const meter = safeMeter(broken, cjkEstimateMeter, (error) => errors.push(error));
      const expected = amountOf(cjkEstimateMeter, cjkEstimateMeter.weigh(text));
      expect(amountOf(meter, meter.weigh(text))).toEqual(expected);
      expect(amountOf(meter, meter.weigh(text))).toEqual(expected);
      expect(errors.map(({ code }) => code)).toEqual(['INTERNAL']);
      expect(JSON.stringify(errors)).not.toContain('分词器');
      expect(meter).toMatchObject({ id: 'cjk-estimate', exact: false });
    },
  );
});
