// A store as rows, for those who move or compare whole projects; everyone else goes through its repositories.
import type { Kysely } from 'kysely';
import type { Store } from './store.js';
import type { Database, Schema } from './tables/schema.js';

export interface StoreRows extends Pick<Database, 'write'> {
  readonly store: Store;
  /** Within one project; an empty name for what belongs to none. */
  read<T>(project: string, query: (db: Kysely<Schema>) => Promise<T>): Promise<T>;
}
