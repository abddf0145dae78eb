import type { Kysely } from 'kysely';
import type { Lanes } from '../lanes.js';
import { checkedJson, checkedName } from './checked.js';
import type { Database } from './database.js';
import { removeOne } from './remove-one.js';
import type { Schema } from './schema.js';

async function current(db: Kysely<Schema>, project: string, lane: string): Promise<unknown> {
  const row = await db
    .selectFrom('lanes')
    .select('state')
    .where('project', '=', project)
    .where('lane', '=', lane)
    .executeTakeFirst();
  return row === undefined ? undefined : JSON.parse(row.state);
}

export function lanesIn(database: Database): Lanes {
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
