// Operations that are run later and survive whoever runs them. The row is the truth that users see; who may run it is in
// job-claims.
import type { Transaction } from 'kysely';
import { checkedLimit } from './checked.js';
import { forgetAnswers } from './job-answers.js';
import { type JobClaims, jobClaimsIn } from './job-claims.js';
import {
  allJobs,
  currentJob,
  type Job,
  type JobDraft,
  type JobStatus,
  type JobSummary,
  summaryColumns,
  toJob,
  toRow,
  toSummary,
} from './job-rows.js';
import type { Database, Schema } from './schema.js';

export interface JobCensus {
  readonly queued: number;
  readonly running: number;
  readonly failed: number;
  readonly longestWaitMs: number;
}

export interface Jobs extends JobClaims {
  add(project: string, draft: JobDraft): Promise<Job>;
  get(project: string, id: string): Promise<Job>;
  /** Newest first, 50 unless told. */
  list(
    project: string,
    options?: { readonly limit?: number; readonly status?: JobStatus },
  ): Promise<readonly JobSummary[]>;
  /** One that waits is cancelled at once, one that runs is asked to end; one that ended stays as it is. */
  cancel(project: string, id: string): Promise<Job>;
  /** Queues one that failed or was cancelled once more, with all its attempts; any other stays as it is. */
  repeat(project: string, id: string): Promise<Job>;
  /** Of every project: how many wait, run, or are dead letters, and since when the oldest that may run has waited. */
  census(): Promise<JobCensus>;
  /** Takes jobs away that ended that long ago, with what they remember; answers how many. */
  forget(endedForMs: number): Promise<number>;
}

export function jobsIn(database: Database): Jobs {
  const change = (
    project: string,
    id: string,
    write: (db: Transaction<Schema>, now: number) => Promise<unknown>,
  ) =>
    database.writeAside(project, async (db) => {
      await write(db, await database.time(db));
      return currentJob(db, project, id);
    });
  return {
    ...jobClaimsIn(database),
    async add(project, draft) {
      const row = toRow(database, project, draft);
      return database.writeAside(project, async (db) => {
        const now = await database.time(db);
        await db
          .insertInto('jobs')
          .values({ ...row, due_at: now, created_at: now })
          .onConflict((conflict) => conflict.columns(['project', 'key']).doNothing())
          .execute();
        if (row.key === null) return currentJob(db, project, row.id);
        return toJob(
          await allJobs(db)
            .where('project', '=', project)
            .where('key', '=', row.key)
            .executeTakeFirstOrThrow(),
        );
      });
    },
    get: (project, id) => database.read((db) => currentJob(db, project, id)),
    async list(project, { limit = 50, status } = {}) {
      const rows = await database.read((db) => {
        const query = db.selectFrom('jobs').select(summaryColumns).where('project', '=', project);
        return (status === undefined ? query : query.where('status', '=', status))
          .orderBy('sequence', 'desc')
          .limit(checkedLimit(limit))
          .execute();
      });
      return rows.map(toSummary);
    },
    cancel: (project, id) =>
      change(project, id, async (db, now) => {
        const row = db.updateTable('jobs').where('project', '=', project).where('id', '=', id);
        await row
          .where('status', '=', 'queued')
          .set({ status: 'cancelled', cancel_asked: 1, ended_at: now })
          .execute();
        await row.where('status', '=', 'running').set({ cancel_asked: 1 }).execute();
      }),
    repeat: (project, id) =>
      change(project, id, (db, now) =>
        db
          .updateTable('jobs')
          .where('project', '=', project)
          .where('id', '=', id)
          .where('status', 'in', ['failed', 'cancelled'])
          .set({
            ...{ status: 'queued', attempts: 0, cancel_asked: 0, due_at: now },
            ...{ claim: null, progress: null, refusal: null, ended_at: null },
          })
          .execute(),
      ),
    async census() {
      return database.read(async (db) => {
        const now = await database.time(db);
        const rows = await db
          .selectFrom('jobs')
          .select(['status', (job) => job.fn.countAll().as('count'), (job) => job.fn.min('due_at').as('due')])
          .where('status', 'in', ['queued', 'running', 'failed'])
          .groupBy('status')
          .execute();
        const of = (status: JobStatus) => rows.find((row) => row.status === status);
        const count = (status: JobStatus) => Number(of(status)?.count ?? 0);
        return {
          ...{ queued: count('queued'), running: count('running'), failed: count('failed') },
          longestWaitMs: Math.max(0, now - Number(of('queued')?.due ?? now)),
        };
      });
    },
    async forget(endedForMs) {
      return database.writeAside(undefined, async (db) => {
        const before = (await database.time(db)) - endedForMs;
        const gone = await db
          .deleteFrom('jobs')
          .where('ended_at', '<', before)
          .where('status', 'not in', ['queued', 'running'])
          .returning(['project', 'id'])
          .execute();
        for (const job of gone) await forgetAnswers(db, job);
        return gone.length;
      });
    },
  };
}
