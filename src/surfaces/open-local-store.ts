// The store of the folder one works in: one SQLite file, its folder made when it is missing.
import { mkdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Store } from '../store/store.js';

export interface LocalStoreOptions {
  readonly now?: (() => number) | undefined;
  readonly newId?: (() => string) | undefined;
}

/** Where the store of a folder is, unless the caller or GALLEY_STORE names another. */
export function localStorePath(folder: string, named = process.env.GALLEY_STORE): string {
  return named ?? join(folder, '.galley', 'galley.db');
}

export async function openLocalStore(path: string, options: LocalStoreOptions = {}): Promise<Store> {
  const { openStore } = await import('../store/sqlite/open-store.js');
  if (path !== ':memory:') await mkdir(dirname(path), { recursive: true }).catch(() => undefined);
  const { now = () => Date.now(), newId } = options;
  return openStore({ path, now, ...(newId === undefined ? {} : { newId }) });
}
