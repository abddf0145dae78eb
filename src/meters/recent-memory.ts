// What was worked out lately, at the price of a map: the newest entries are kept, and those that are asked for again. A list in
// order of use would know exactly which to forget, and cost more than many of the answers it saves.

export interface RecentMemory<Key, Value> {
  get(key: Key): Value | undefined;
  set(key: Key, value: Value): void;
}

/** Holds at least the `most` entries used last and at most twice as many. */
export function recentMemory<Key, Value>(most: number): RecentMemory<Key, Value> {
  let young = new Map<Key, Value>();
  let old = new Map<Key, Value>();
  const set = (key: Key, value: Value): void => {
    if (young.size >= most) {
      old = young;
      young = new Map();
    }
    young.set(key, value);
  };
  return {
    set,
    get(key) {
      const found = young.get(key);
      if (found !== undefined) return found;
      const kept = old.get(key);
      if (kept !== undefined) set(key, kept);
      return kept;
    },
  };
}
