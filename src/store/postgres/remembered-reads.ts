// Lists that are asked for with every assembly are kept until a write of their project is counted, by whichever process. The
// count is read with the list or before it, never after: an answer is never older than its count says.
import type { Kysely } from 'kysely';
import { sql } from 'kysely';
import { LRUCache } from 'lru-cache';
import type { Database, Schema } from '../tables/schema.js';
import type { Statement } from './connect.js';

const maxAnswers = 512;

/** Goes out with the commit of a write that remembered reads depend on. */
export function countChange(project: string): Statement {
  return {
    text: `insert into galley_changes (project, number) values ($1, 1)
      on conflict (project) do update set number = galley_changes.number + 1`,
    values: [project],
  };
}

export function rememberedReads(read: Database['read']): Database['remember'] {
  const answers = new LRUCache<string, { count: number; value: unknown }>({ max: maxAnswers });
  const asked = new Map<string, Promise<number>>();

  /** Asked for once by all who ask at the same moment. */
  const countOf = (db: Kysely<Schema>, project: string): Promise<number> => {
    const known = asked.get(project);
    if (known !== undefined) return known;
    const count = sql<{ number: number }>`select number from galley_changes where project = ${project}`
      .execute(db)
      .then(({ rows }) => rows[0]?.number ?? 0);
    asked.set(project, count);
    setImmediate(() => asked.delete(project));
    return count;
  };

  return <T>(name: string, project: string, query: (db: Kysely<Schema>) => Promise<T>) =>
    read(async (db) => {
      const key = `${name}\n${project}`;
      const known = answers.get(key);
      const count = countOf(db, project);
      // In the same round trip, behind the count.
      const fresh = known === undefined ? query(db) : undefined;
      fresh?.catch(() => {});
      const current = await count;
      if (known?.count === current) return known.value as T;
      const value = await (fresh ?? query(db));
      answers.set(key, { count: current, value });
      return value;
    });
}
