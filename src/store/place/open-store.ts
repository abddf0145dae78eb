// Opens a store wherever it is: a file, memory, or a database. Whoever uses one engine never loads the other.
import { checkStorePath, isDatabaseAddress } from '../check-store-path.js';
import type { StoreOptions } from '../sqlite/open-store.js';
import type { Store } from '../store.js';

export interface PlacedStoreOptions
  extends Pick<StoreOptions, 'now' | 'newId' | 'patienceMs' | 'receiptsKept'> {
  /** A file, made when it is missing, `:memory:`, or `postgres://user:password@host:5432/database`. */
  readonly path: string;
}

export async function openStoreAt({ path, ...options }: PlacedStoreOptions): Promise<Store> {
  checkStorePath(path);
  if (isDatabaseAddress(path)) {
    const { openStore } = await import('../postgres/open-store.js');
    return openStore({ url: path, ...options });
  }
  const { openStore } = await import('../sqlite/open-store.js');
  return openStore({ path, ...options });
}
