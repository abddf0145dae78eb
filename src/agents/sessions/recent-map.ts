// What was noted of late, by name: at least so many names, at most twice as many, however many were noted. Deleting the oldest name
// of a map for each new one would be slower by the whole map: what was deleted stays in its way until the map is built anew.

export interface RecentMap<Value> {
  set(key: string, value: Value): void;
  get(key: string): Value | undefined;
  has(key: string): boolean;
  keys(): Iterable<string>;
}

export function createRecentMap<Value>(remembered: number): RecentMap<Value> {
  let young = new Map<string, Value>();
  let old = new Map<string, Value>();
  return {
    set(key, value) {
      young.set(key, value);
      if (young.size < remembered) return;
      old = young;
      young = new Map();
    },
    get: (key) => young.get(key) ?? old.get(key),
    has: (key) => young.has(key) || old.has(key),
    *keys() {
      yield* old.keys();
      for (const key of young.keys()) if (!old.has(key)) yield key;
    },
  };
}
