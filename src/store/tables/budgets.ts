// A project's budget, opaque to the store. Version 0 means that nothing was stored yet.
import type { Kysely } from 'kysely';
import { GalleyError } from '../../core/model/error.js';
import { checkedInteger, checkedJson } from './checked.js';
import type { Database, Schema } from './schema.js';

export interface StoredBudget {
  readonly version: number;
  /** JSON; undefined at version 0. */
  readonly value: unknown;
}

export interface Budgets {
  get(project: string): Promise<StoredBudget>;
  /** A version that is not the current one is refused with CONTEXT_BUDGET_CONFLICT and changes nothing. */
  update(project: string, expectedVersion: number, value: unknown): Promise<StoredBudget>;
}

async function current(db: Kysely<Schema>, project: string): Promise<StoredBudget> {
  const row = await db
    .selectFrom('budgets')
    .select(['version', 'value'])
    .where('project', '=', project)
    .executeTakeFirst();
  return row === undefined
    ? { version: 0, value: undefined }
    : { version: row.version, value: JSON.parse(row.value) };
}

export function budgetsIn(database: Database): Budgets {
  return {
    get: (project) => database.remember('budget', project, (db) => current(db, project)),
    async update(project, expectedVersion, value) {
      checkedInteger('version', expectedVersion);
      const json = checkedJson('value', value);
      return database.write(project, async (db) => {
        const { version: actual } = await current(db, project);
        if (actual !== expectedVersion) {
          throw new GalleyError(
            'CONTEXT_BUDGET_CONFLICT',
            'The budget has changed since it was read; read it again.',
            {
              details: { expected: expectedVersion, actual },
            },
          );
        }
        const next = { version: actual + 1, value: json };
        await db
          .insertInto('budgets')
          .values({ project, ...next })
          .onConflict((conflict) => conflict.column('project').doUpdateSet(next))
          .execute();
        return { version: next.version, value: JSON.parse(json) };
      });
    },
  };
}
