import { describe, expect, it } from 'vitest';
import { loadMeter } from '../load-meter.js';

// An unguarded encoder needs minutes for these, or gives up. The counts follow from the period of each run.
const runs: readonly (readonly [title: string, text: string, o200k: number, cl100k: number])[] = [
  ['32,000 Han characters without a space', '天地玄黄宇宙洪荒日月盈昃辰宿列张'.repeat(2000), 34_000, 52_000],
  ['1 MB of one Han character', '中'.repeat(350_000), 350_000, 350_000],
  ['1 MB of one letter', 'a'.repeat(1_000_000), 125_000, 125_000],
  ['1 MB of one capital', 'A'.repeat(1_000_000), 125_000, 125_000],
  ['1 MB of spaces', ' '.repeat(1_000_000), 7813, 7813],
  ['1 MB of newlines', '\n'.repeat(1_000_000), 62_500, 31_250],
  ['1 MB of emoji', '😀'.repeat(250_000), 250_000, 500_000],
  ['1 MB of combining marks', '\u0301'.repeat(500_000), 500_000, 500_000],
  ['1 MB of slashes', '/'.repeat(1_000_000), 15_625, 15_625],
  ['20 MB of one Han character', '中'.repeat(7_000_000), 7_000_000, 7_000_000],
];

describe('unbroken runs', () => {
  it.each(runs)('count exactly and in linear time: %s [budget.tokenizer]', async (_, text, o200k, cl100k) => {
    expect((await loadMeter('o200k_base')).weigh(text)).toBe(o200k);
    expect((await loadMeter('cl100k_base')).weigh(text)).toBe(cl100k);
  });
});
