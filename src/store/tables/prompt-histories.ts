// What the previous request of a lane looked like, so that the next one can keep its prefix.
import type { Compilable, Kysely } from 'kysely';
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

interface Lane {
  readonly project: string;
  readonly lane: string;
}

async function stateOf(db: Kysely<Schema>, { project, lane }: Lane): Promise<string | undefined> {
  const row = await db
    .selectFrom('lanes')
    .select('state')
    .where('project', '=', project)
    .where('lane', '=', lane)
    .executeTakeFirst();
  return row?.state;
}

function replace(
  db: Kysely<Schema>,
  lane: Lane,
  { from, to }: { readonly from: string | undefined; readonly to: string },
): Compilable {
  if (from === undefined)
    return db
      .insertInto('lanes')
      .values({ ...lane, state: to })
      .onConflict((conflict) => conflict.columns(['project', 'lane']).doNothing());
  return db
    .updateTable('lanes')
    .set({ state: to })
    .where('project', '=', lane.project)
    .where('lane', '=', lane.lane)
    .where('state', '=', from);
}

export function promptHistoriesIn(database: Database): PromptHistories {
  const read = lastStates();
  const parsed = (state: string | undefined) => (state === undefined ? undefined : read(state));
  /** As it was seen last; whoever writes upon it says so, and another process may have been there since. */
  const seen = new LRUCache<string, string>({ max: 64 });
  const keyOf = ({ project, lane }: Lane) => JSON.stringify([project, lane]);
  const see = (lane: Lane, state: string | undefined) => {
    if (state === undefined) seen.delete(keyOf(lane));
    else seen.set(keyOf(lane), state);
  };

  return {
    get: (project, lane) =>
      database.read(async (db) => {
        const state = await stateOf(db, { project, lane });
        see({ project, lane }, state);
        return parsed(state);
      }),
    async update<T>(project: string, name: string, change: (previous: unknown) => T): Promise<T> {
      const lane = { project, lane: checkedName('lane', name) };
      const step = (from: string | undefined) => {
        const next = change(parsed(from));
        return { next, from, to: checkedJson('state', next) };
      };
      const guessed = step(seen.get(keyOf(lane)));
      const [answer] = await database.writeAtOnce(project, (db) => [replace(db, lane, guessed)]);
      if (answer?.numAffectedRows === 1n) {
        see(lane, guessed.to);
        return guessed.next;
      }
      const { next, to } = await database.writeAside(project, async (db) => {
        const found = step(await stateOf(db, lane));
        await db.executeQuery(replace(db, lane, found).compile());
        return found;
      });
      see(lane, to);
      return next;
    },
    async delete(project, lane) {
      await database.writeAside(undefined, (db) =>
        removeOne(db, { table: 'lanes', kind: 'lane' }, { project, lane }),
      );
      see({ project, lane }, undefined);
    },
  };
}
