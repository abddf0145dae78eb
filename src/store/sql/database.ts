// What the repositories stand on: scoped reads, whole writes, a clock, ids, and the engine's own search.
import type { Kysely, Transaction } from 'kysely';
import type { Schema } from './schema.js';

export interface Database {
  /** Waits out a locked store, within bounds. */
  read<T>(query: (db: Kysely<Schema>) => Promise<T>): Promise<T>;
  /** A read whose answer is shared until something changes; nobody may change the answer. */
  remember<T>(name: string, project: string, query: (db: Kysely<Schema>) => Promise<T>): Promise<T>;
  /** One transaction from its first statement on; it may run again after a collision. The project exists inside it. */
  write<T>(project: string | undefined, change: (db: Transaction<Schema>) => Promise<T>): Promise<T>;
  /** A write that no remembered read depends on. */
  writeAside: Database['write'];
  /** Takes a document's chunks out of the index, inside a running write. */
  forgetChunks(db: Transaction<Schema>, project: string, document: string): Promise<void>;
  now(): number;
  newId(): string;
}
