import { describe, expect, it } from 'vitest';
import { recentMemory } from './recent-memory.js';

describe('a memory of what was worked out lately', () => {
  it('holds what was used last, and not more than twice as much', () => {
    const memory = recentMemory<number, number>(10);
    for (let key = 0; key < 1_000; key += 1) memory.set(key, key);
    const held = Array.from({ length: 1_000 }, (_, key) => key).filter(
      (key) => memory.get(key) !== undefined,
    );
    expect(held).toEqual(expect.arrayContaining([990, 991, 992, 993, 994, 995, 996, 997, 998, 999]));
    expect(held.length).toBeLessThanOrEqual(20);
  });

  it('keeps what is asked for again and again', () => {
    const memory = recentMemory<string, number>(10);
    memory.set('often', 1);
    for (let key = 0; key < 100; key += 1) {
      memory.set(`once ${key}`, key);
      expect(memory.get('often')).toBe(1);
    }
  });
});
