// What need not be found again while one change is held open and set several times: answers by name. Whoever asks gives each thing a
// name that says everything the answer depends on beside the change itself.

export type Recall = <Value>(
  name: string,
  find: () => Promise<Value>,
  forget?: (value: Value) => void,
) => Promise<Value>;

/** For a change that is set once. */
export const findAnew: Recall = (_, find) => find();

export interface Memory {
  readonly recall: Recall;
  clear(): Promise<void>;
}

interface Kept {
  readonly value: Promise<unknown>;
  forget(): Promise<void>;
}

/** Holds so many answers, those asked for last; what failed is not held. */
export function createMemory(most: number): Memory {
  const kept = new Map<string, Kept>();
  return {
    recall<Value>(name: string, find: () => Promise<Value>, forget?: (value: Value) => void) {
      const known = kept.get(name);
      kept.delete(name);
      const value = (known?.value as Promise<Value> | undefined) ?? find();
      const own = known ?? { value, forget: () => value.then(forget).catch(() => {}) };
      kept.set(name, own);
      value.catch(() => {
        if (kept.get(name) === own) kept.delete(name);
      });
      for (const [oldest, { forget: drop }] of kept) {
        if (kept.size <= most) break;
        kept.delete(oldest);
        void drop();
      }
      return value;
    },
    async clear() {
      const all = [...kept.values()];
      kept.clear();
      await Promise.all(all.map(({ forget }) => forget()));
    },
  };
}
