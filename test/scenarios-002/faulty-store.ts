// A store whose calls can be watched and made to fail, by name and by number.
import { GalleyError } from '../../src/core/model/error.js';
import type { Store } from '../../src/store/store.js';

/** Called before every call of the store, with its name such as `memory.list`; what it throws the call throws. */
export type Watch = (name: string) => void | Promise<void>;

export function watched(store: Store, watch: Watch): Store {
  const wrap = (port: object, prefix: string): unknown =>
    new Proxy(port, {
      get(target, key) {
        const value: unknown = Reflect.get(target, key);
        if (typeof value !== 'function' || typeof key !== 'string') return value;
        return async (...given: unknown[]) => {
          await watch(`${prefix}.${key}`);
          return Reflect.apply(value, target, given);
        };
      },
    });
  const ports = Object.entries(store).map(([name, port]) => [
    name,
    typeof port === 'function' ? port : wrap(port as object, name),
  ]);
  return Object.fromEntries(ports) as Store;
}

export function failing(store: Store, ...names: readonly string[]): Store {
  return watched(store, (name) => {
    if (names.some((one) => name === one || name.startsWith(`${one}.`))) throw broken();
  });
}

export function broken(): GalleyError {
  return new GalleyError(
    'STORE_UNAVAILABLE',
    'The disk failed under the store; check the disk and try again.',
  );
}
