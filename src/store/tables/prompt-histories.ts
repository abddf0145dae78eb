// What the previous request of a lane looked like, so that the next one can keep its prefix.
import type { Kysely } from 'kysely';
import { checkedJson, checkedName, removeOne } from './checked.js';
import type { Database, Schema } from './schema.js';

export interface PromptHistories {
  /** JSON, or undefined before the first request. */
  get(project: string, lane: string): Promise<unknown>;
  /** Reads and writes as one step; `change` is synchronous, pure, and may be called again after a collision. */
  update<T>(project: string, lane: string, change: (previous: unknown) => T): Promise<T>;
  delete(project: string, lane: string): Promise<void>;
}

async function current(db: Kysely<Schema>, project: string, lane: string): Promise<unknown> {
  const row = await db
    .selectFrom('lanes')
    .select('state')
    .where('project', '=', project)
    .where('lane', '=', lane)
    .executeTakeFirst();
  return row === undefined ? undefined : JSON.parse(row.state);
}

export function promptHistoriesIn(database: Database): PromptHistories {
  return {
    get: (project, lane) => database.read((db) => current(db, project, lane)),
    async update<T>(project: string, lane: string, change: (previous: unknown) => T): Promise<T> {
      checkedName('lane', lane);
      return database.writeAside(project, async (db) => {
        const next = change(await current(db, project, lane));
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
