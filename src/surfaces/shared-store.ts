// The store of a folder, opened when it is first needed and shared until it is closed.
import { mkdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Store } from '../store/store.js';

export interface SharedStore {
  store(): Promise<Store>;
  close(): Promise<void>;
}

/** Without a named file: GALLEY_STORE, or the file of the folder. */
export function sharedStore(folder: string, named = process.env.GALLEY_STORE): SharedStore {
  let opening: Promise<Store> | undefined;
  return {
    store: () => {
      opening ??= open(named ?? join(folder, '.galley', 'galley.db')).catch((error: unknown) => {
        // What failed once may succeed when it is asked for again.
        opening = undefined;
        throw error;
      });
      return opening;
    },
    close: async () => {
      const store = await opening?.catch(() => undefined);
      await store?.close();
    },
  };
}

async function open(path: string): Promise<Store> {
  const { openStore } = await import('../store/sqlite/open-store.js');
  if (path !== ':memory:') await mkdir(dirname(path), { recursive: true }).catch(() => undefined);
  return openStore({ path, now: () => Date.now() });
}
