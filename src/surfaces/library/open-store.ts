// A store of one's own, for several `createGalley` or to look at; loaded when it is first opened.
import type { StoreOptions } from '../../store/sqlite/open-store.js';
import type { Store } from '../../store/store.js';

export type OpenStoreOptions = Pick<StoreOptions, 'path' | 'newId' | 'patienceMs' | 'receiptsKept'> &
  Partial<Pick<StoreOptions, 'now'>>;

/** Close it when everything that uses it is closed. */
export async function openStore(options: OpenStoreOptions): Promise<Store> {
  const { openStore: open } = await import('../../store/sqlite/open-store.js');
  return open({ ...options, now: options.now ?? (() => Date.now()) });
}
