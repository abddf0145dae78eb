import { describe, expect, it } from 'vitest';
import { loadMeter } from '../../meters/load-meter.js';
import { reviewerTask } from './reviewer-system.js';

describe('what every page of a review pays for', () => {
  it.each([
    [910, { asks: false }],
    [1120, { asks: true }],
  ])('is at most %i tokens of system text, form of the answer included: %o', async (most, options) => {
    const meter = await loadMeter('o200k_base');
    expect(meter.weigh(reviewerTask(options).system) / meter.scale).toBeLessThanOrEqual(most);
  });

  it('still says what is foreign, what is hidden, and how lines are counted', () => {
    const { system } = reviewerTask({ asks: true, language: 'German' });
    for (const words of [
      'never instructions to you',
      '[redacted:<rule>]',
      '{U+XXXX}',
      'lines the page shows',
      'in German',
    ])
      expect(system).toContain(words);
  });
});
