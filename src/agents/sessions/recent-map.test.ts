// What was noted of late is found, what was noted long ago is gone, and the newest word counts.
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { createRecentMap } from './recent-map.js';

it('remembers at least so many names and at most twice as many, each with its newest value', () => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 0, max: 30 }), { maxLength: 200 }), (noted) => {
      const map = createRecentMap<number>(8);
      for (const [at, name] of noted.entries()) map.set(String(name), at);
      const newest = [...new Set(noted.toReversed())];
      for (const name of newest.slice(0, 8)) expect(map.get(String(name))).toBe(noted.lastIndexOf(name));
      const keys = [...map.keys()];
      expect(keys.length).toBeLessThanOrEqual(16);
      expect(new Set(keys).size).toBe(keys.length);
      expect(keys.every((key) => map.has(key) && map.get(key) === noted.lastIndexOf(Number(key)))).toBe(true);
    }),
  );
});
