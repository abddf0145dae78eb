// Claims of jobs, for those who run them: a lease by the store's own time with an id of its own. Whoever holds another id, or none,
// can change nothing any more.
import type { ExpressionBuilder, Kysely, Transaction } from 'kysely';
import { checkedInteger, checkedJson, checkedLimit } from './checked.js';
import { forgetAnswers } from './job-answers.js';
import { type Job, type JobName, jobColumns, toJob } from './job-rows.js';
import type { Database, Schema } from './schema.js';

export interface ClaimedJob extends Job {
  readonly claim: string;
}

export type Claim = Pick<ClaimedJob, 'project' | 'id' | 'claim'>;

export type JobOutcome =
  | { readonly status: 'succeeded'; readonly answer: unknown }
  | { readonly status: 'failed'; readonly refusal: unknown }
  | { readonly status: 'cancelled' }
  /** To be run again; one that `isGivenBack` was not at fault, and this attempt does not count. */
  | {
      readonly status: 'queued';
      readonly afterMs: number;
      readonly refusal?: unknown;
      readonly isGivenBack?: boolean;
    };

/** Of every project. */
export interface JobClaims {
  /** What could be claimed now, the most urgent first. */
  waiting(limit: number): Promise<readonly (JobName & { readonly priority: number })[]>;
  /** Takes those of the named ones that may run, or else the most urgent; a lease that ended is free to take. */
  claim(
    from: { readonly limit: number } | { readonly names: readonly JobName[] },
    leaseMs: number,
  ): Promise<readonly ClaimedJob[]>;
  /** Makes the lease longer and notes the progress; undefined when the claim was lost. */
  renew(
    claim: Claim,
    leaseMs: number,
    progress?: unknown,
  ): Promise<{ readonly cancelAsked: boolean } | undefined>;
  /** Ends the claim; false when it was lost, and then nothing changed. */
  settle(claim: Claim, outcome: JobOutcome): Promise<boolean>;
}

/** Due or given up by whoever ran it, and the next of its lane. */
const mayRun = (now: number) => (builder: ExpressionBuilder<Schema, 'jobs'>) =>
  builder.and([
    builder.or([
      builder.and([builder('jobs.status', '=', 'queued'), builder('jobs.due_at', '<=', now)]),
      builder.and([builder('jobs.status', '=', 'running'), builder('jobs.lease_until', '<=', now)]),
    ]),
    builder.not(
      builder.exists(
        builder
          .selectFrom('jobs as other')
          .select('other.id')
          .whereRef('other.project', '=', 'jobs.project')
          .whereRef('other.lane', '=', 'jobs.lane')
          .whereRef('other.id', '!=', 'jobs.id')
          .where((other) =>
            other.or([
              other('other.status', '=', 'running'),
              other.and([
                other('other.status', '=', 'queued'),
                other('other.sequence', '<', other.ref('jobs.sequence')),
              ]),
            ]),
          ),
      ),
    ),
  ]);

const next = (db: Kysely<Schema>, now: number, limit: number) =>
  db
    .selectFrom('jobs')
    .select(['project', 'id', 'priority'])
    .where('jobs.status', 'in', ['queued', 'running'])
    .where(mayRun(now))
    .orderBy('priority', 'desc')
    .orderBy('sequence')
    .limit(checkedLimit(limit))
    .execute();

const held = (db: Transaction<Schema>, { project, id, claim }: Claim) =>
  db.updateTable('jobs').where('project', '=', project).where('id', '=', id).where('claim', '=', claim);

export function jobClaimsIn(database: Database): JobClaims {
  return {
    waiting: (limit) => database.read(async (db) => next(db, await database.time(db), limit)),
    async claim(from, leaseMs) {
      const claim = database.newId();
      return database.writeAside(undefined, async (db) => {
        const now = await database.time(db);
        const names = 'names' in from ? from.names : await next(db, now, from.limit);
        const claimed: ClaimedJob[] = [];
        for (const { project, id } of names) {
          const row = await db
            .updateTable('jobs')
            .where('jobs.project', '=', project)
            .where('jobs.id', '=', id)
            .where(mayRun(now))
            .set((job) => ({
              ...{ status: 'running', claim, lease_until: now + leaseMs },
              attempts: job('attempts', '+', 1),
              started_at: job.fn.coalesce('started_at', job.val(now)),
            }))
            .returning(jobColumns)
            .executeTakeFirst();
          if (row !== undefined) claimed.push({ ...toJob(row), claim });
        }
        return claimed;
      });
    },
    async renew(claim, leaseMs, progress) {
      return database.writeAside(claim.project, async (db) => {
        const now = await database.time(db);
        const row = await held(db, claim)
          .set({
            lease_until: now + leaseMs,
            ...(progress === undefined ? {} : { progress: checkedJson('progress', progress) }),
          })
          .returning('cancel_asked')
          .executeTakeFirst();
        return row === undefined ? undefined : { cancelAsked: row.cancel_asked === 1 };
      });
    },
    async settle(claim, outcome) {
      return database.writeAside(claim.project, async (db) => {
        const now = await database.time(db);
        const { numUpdatedRows } = await held(db, claim)
          .set((job) => ({
            ...{ status: outcome.status, claim: null, lease_until: 0 },
            ...(outcome.status === 'queued'
              ? { due_at: now + checkedInteger('afterMs', outcome.afterMs) }
              : { ended_at: now }),
            ...(outcome.status === 'queued' && outcome.isGivenBack
              ? { attempts: job('attempts', '-', 1) }
              : {}),
            ...('refusal' in outcome ? { refusal: checkedJson('refusal', outcome.refusal) } : {}),
            ...(outcome.status === 'succeeded'
              ? { answer: checkedJson('answer', outcome.answer), refusal: null }
              : {}),
          }))
          .executeTakeFirstOrThrow();
        if (numUpdatedRows === 0n) return false;
        // What succeeded is never run again.
        if (outcome.status === 'succeeded') await forgetAnswers(db, claim);
        return true;
      });
    },
  };
}
