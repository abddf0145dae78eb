// Opens a store wherever it is: a file, memory, or a database. Whoever uses one engine never loads the other.
import { checkStorePath, isDatabaseAddress } from '../check-store-path.js';
import type { StoreOptions } from '../sqlite/open-store.js';
import type { Store } from '../store.js';
import type { StoreRows } from '../store-rows.js';

export interface PlacedStoreOptions
  extends Pick<StoreOptions, 'now' | 'newId' | 'patienceMs' | 'receiptsKept'> {
  /** A file, made when it is missing, `:memory:`, or `postgres://user:password@host:5432/database`. */
  readonly path: string;
}

export async function openStoreAt(options: PlacedStoreOptions): Promise<Store> {
  return (await openRowsAt(options)).store;
}

export async function openRowsAt({ path, ...options }: PlacedStoreOptions): Promise<StoreRows> {
  checkStorePath(path);
  if (isDatabaseAddress(path)) {
    const { openRows } = await import('../postgres/open-store.js');
    return openRows({ url: path, ...options });
  }
  const { openRows } = await import('../sqlite/open-store.js');
  return openRows({ path, ...options });
}
