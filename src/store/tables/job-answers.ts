// What a model answered inside a job, stored before it is used, so that the job run again does not ask for it again.
import type { Kysely, Transaction } from 'kysely';
import { checkedInteger, checkedJson, checkedName } from './checked.js';
import type { Database, Schema } from './schema.js';

export interface JobAnswers {
  /** JSON, or undefined. */
  get(project: string, job: string, call: JobCall): Promise<unknown>;
  /** The first answer of a call stays; what is stored is answered. */
  put(project: string, job: string, call: JobCall, answer: unknown): Promise<unknown>;
  /** Answers how many there were. */
  clear(project: string, job: string): Promise<number>;
}

export interface JobCall {
  /** Of everything that was sent. */
  readonly digest: string;
  /** From 1: how often the same was sent in this job. */
  readonly nth: number;
}

export async function forgetAnswers(
  db: Transaction<Schema>,
  { project, id }: { readonly project: string; readonly id: string },
): Promise<number> {
  const { numDeletedRows } = await db
    .deleteFrom('job_answers')
    .where('project', '=', project)
    .where('job', '=', id)
    .executeTakeFirstOrThrow();
  return Number(numDeletedRows);
}

export function jobAnswersIn(database: Database): JobAnswers {
  const stored = (db: Kysely<Schema>, project: string, job: string, { digest, nth }: JobCall) =>
    db
      .selectFrom('job_answers')
      .select('answer')
      .where('project', '=', project)
      .where('job', '=', job)
      .where('digest', '=', digest)
      .where('nth', '=', nth);
  return {
    async get(project, job, call) {
      const row = await database.read((db) => stored(db, project, job, call).executeTakeFirst());
      return row === undefined ? undefined : JSON.parse(row.answer);
    },
    async put(project, job, call, answer) {
      const row = {
        job: checkedName('job', job),
        digest: checkedName('digest', call.digest),
        nth: checkedInteger('nth', call.nth),
        answer: checkedJson('answer', answer),
      };
      return database.writeAside(project, async (db) => {
        await db
          .insertInto('job_answers')
          .values({ project, ...row, created_at: await database.time(db) })
          .onConflict((conflict) => conflict.columns(['project', 'job', 'digest', 'nth']).doNothing())
          .execute();
        return JSON.parse((await stored(db, project, job, call).executeTakeFirstOrThrow()).answer);
      });
    },
    async clear(project, job) {
      return database.writeAside(project, (db) => forgetAnswers(db, { project, id: job }));
    },
  };
}
