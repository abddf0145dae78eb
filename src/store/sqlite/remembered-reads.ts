// Lists that are asked for with every assembly are kept until something they may depend on has changed: a write of this
// handle, or a commit of any other connection. An answer is stamped before it is read, so it is never newer than its stamp.
import { LRUCache } from 'lru-cache';
import type { Database } from '../tables/schema.js';
import type { SqliteConnection } from './connection.js';

const maxAnswers = 512;

export interface RememberedReads {
  readonly remember: Database['remember'];
  /** Before a write of this handle is committed. */
  touch(): void;
}

export function rememberedReads(connection: SqliteConnection, read: Database['read']): RememberedReads {
  const answers = new LRUCache<string, { stamp: string; value: unknown }>({ max: maxAnswers });
  let writes = 0;
  const stampNow = (): string => {
    // Changes with commits of other connections only; our own are counted.
    const row = connection.first('pragma data_version', []);
    return `${row?.data_version} ${writes}`;
  };
  return {
    touch() {
      writes += 1;
    },
    remember: <T>(name: string, project: string, query: Parameters<typeof read<T>>[0]) =>
      read(async (db) => {
        const key = `${name}\n${project}`;
        const stamp = stampNow();
        const known = answers.get(key);
        if (known?.stamp === stamp) return known.value as T;
        const value = await query(db);
        answers.set(key, { stamp, value });
        return value;
      }),
  };
}
