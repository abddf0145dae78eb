// What is kept of a session that never ends.
import { describe, expect, it } from 'vitest';
import { linesByKey, newestQuotes } from './newest-quotes.js';

describe('quotes of a long session', () => {
  it('are the first and the newest, in order', () => {
    const quotes = newestQuotes();
    for (let line = 1; line <= 50_000; line += 1) quotes.add(line, ` words ${line} `);
    const list = quotes.list();
    expect(list).toHaveLength(2_000);
    expect(list[0]).toEqual({ line: 1, text: 'words 1' });
    expect(list[1]?.line).toBe(48_002);
    expect(list.at(-1)?.line).toBe(50_000);
  });

  it('hold no more than a window could, however long each is', () => {
    const quotes = newestQuotes();
    for (let line = 1; line <= 40; line += 1) quotes.add(line, 'x'.repeat(1_000_000));
    const held = quotes.list();
    expect(held.map(({ line }) => line)).toEqual([1, 34, 35, 36, 37, 38, 39, 40]);
    const single = newestQuotes();
    single.add(1, 'x'.repeat(9_000_000));
    single.add(2, 'y');
    expect(single.list()).toHaveLength(2);
  });

  it('go when their line is told anew, or somebody goes back behind it', () => {
    const quotes = newestQuotes();
    for (const line of [1, 2, 2, 3, 4]) quotes.add(line, `${line}`);
    quotes.add(5, '  ');
    quotes.removeLine(2);
    expect(quotes.list().map(({ line }) => line)).toEqual([1, 3, 4]);
    quotes.cutBehind(3);
    expect(quotes.list().map(({ line }) => line)).toEqual([1, 3]);
    quotes.cutBehind(0);
    expect(quotes.list()).toEqual([]);
  });

  it('are found by what the file calls them, as far back as anybody goes', () => {
    const lines = linesByKey();
    for (let line = 1; line <= 200_000; line += 1) lines.note(`k${line}`, line);
    expect(lines.find('k100000')).toBeUndefined();
    expect(lines.find('k100001')).toBe(100_001);
    expect(lines.find('k200000')).toBe(200_000);
  });
});
