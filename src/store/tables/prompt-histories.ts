// What the previous request of a lane looked like, so that the next one can keep its prefix.
import type { Kysely } from 'kysely';
import { LRUCache } from 'lru-cache';
import { checkedJson, checkedName, removeOne } from './checked.js';
import type { Database, Schema } from './schema.js';

export interface PromptHistories {
  /** JSON, or undefined before the first request; nobody may change the answer. */
  get(project: string, lane: string): Promise<unknown>;
  /** Reads and writes as one step; `change` is synchronous, pure, and may be called again after a collision. */
  update<T>(project: string, lane: string, change: (previous: unknown) => T): Promise<T>;
  delete(project: string, lane: string): Promise<void>;
}

/** The state that is read before an assembly is read again when the next one is written. */
type ReadState = (state: string) => unknown;

function lastStates(): ReadState {
  const read = new LRUCache<string, { readonly value: unknown }>({ max: 16 });
  return (state) => {
    const known = read.get(state) ?? { value: JSON.parse(state) };
    read.set(state, known);
    return known.value;
  };
}

async function current(
  db: Kysely<Schema>,
  { project, lane }: { readonly project: string; readonly lane: string },
  read: ReadState,
): Promise<unknown> {
  const row = await db
    .selectFrom('lanes')
    .select('state')
    .where('project', '=', project)
    .where('lane', '=', lane)
    .executeTakeFirst();
  return row === undefined ? undefined : read(row.state);
}

export function promptHistoriesIn(database: Database): PromptHistories {
  const read = lastStates();
  return {
    get: (project, lane) => database.read((db) => current(db, { project, lane }, read)),
    async update<T>(project: string, lane: string, change: (previous: unknown) => T): Promise<T> {
      checkedName('lane', lane);
      return database.writeAside(project, async (db) => {
        const next = change(await current(db, { project, lane }, read));
        const state = checkedJson('state', next);
        await db
          .insertInto('lanes')
          .values({ project, lane, state })
          .onConflict((conflict) => conflict.columns(['project', 'lane']).doUpdateSet({ state }))
          .execute();
        return next;
      });
    },
    async delete(project, lane) {
      await database.writeAside(undefined, (db) =>
        removeOne(db, { table: 'lanes', kind: 'lane' }, { project, lane }),
      );
    },
  };
}
