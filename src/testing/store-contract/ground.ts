// What the suite needs from outside: a test runner and a place where one store can be opened several times.
import type { Store } from '../../store/store.js';

export interface StoreGround {
  /** Every call is another handle on the same data. */
  open(options: { now: () => number; newId: () => string; receiptsKept?: number }): Promise<Store>;
  remove(): Promise<void>;
}

interface Matchers {
  toBe(expected: unknown): void;
  toEqual(expected: unknown): void;
  toMatchObject(expected: object): void;
  toBeGreaterThan(expected: number): void;
  toBeUndefined(): void;
}

export interface TestTools {
  describe(name: string, body: () => void): unknown;
  it(name: string, body: () => Promise<void>): unknown;
  expect(actual: unknown): Matchers;
}

export interface Stand {
  readonly store: Store;
  /** Another handle on the same data. */
  another(): Promise<Store>;
}

/** A fresh store with a clock that counts calls and ids `id-1`, `id-2`, … of each handle; all is closed afterwards. */
export async function onGround(
  newGround: () => Promise<StoreGround>,
  body: (stand: Stand) => Promise<void>,
  options: { receiptsKept?: number } = {},
): Promise<void> {
  const ground = await newGround();
  const handles: Store[] = [];
  let time = 1000;
  const open = async (): Promise<Store> => {
    const handle = handles.length;
    let ids = 0;
    const newId = () => `id-${handle === 0 ? '' : `${handle}-`}${++ids}`;
    const store = await ground.open({ now: () => ++time, newId, ...options });
    handles.push(store);
    return store;
  };
  try {
    await body({ store: await open(), another: open });
  } finally {
    for (const handle of handles) await handle.close();
    await ground.remove();
  }
}

/** The code of the refusal, or 'accepted'. */
export async function refusal(call: Promise<unknown>): Promise<unknown> {
  return call.then(
    () => 'accepted',
    (error: unknown) => (error as { code?: unknown }).code ?? error,
  );
}
