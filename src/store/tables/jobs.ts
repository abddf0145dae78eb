// Operations that are run later and survive whoever runs them. The row is the truth that users see; a claim is a lease by the
// store's own time, and whoever lost its claim can change nothing any more.
import type { ExpressionBuilder, Kysely, Transaction } from 'kysely';
import { checkedInteger, checkedJson, checkedLimit, checkedName, notFound } from './checked.js';
import { forgetAnswers } from './job-answers.js';
import type { Database, JobTable, Schema } from './schema.js';

export const jobStatuses = ['queued', 'running', 'succeeded', 'failed', 'cancelled'] as const;

export type JobStatus = (typeof jobStatuses)[number];

export interface JobName {
  readonly project: string;
  readonly id: string;
}

interface Draft {
  readonly operation: string;
  /** JSON: what the operation is asked. */
  readonly request: unknown;
  /** JSON: who asked for it, and what they may do. */
  readonly owner: unknown;
  /** Jobs of one lane never run at the same time, and go in the order they came. */
  readonly lane?: string;
  /** The higher, the sooner; 0 unless told. */
  readonly priority: number;
  readonly maxAttempts: number;
  /** In millionths of a dollar, over all its attempts. */
  readonly ceiling?: number;
  /** W3C trace context of whoever asked for it. */
  readonly trace?: string;
}

export interface JobDraft
  extends Omit<Draft, 'priority' | 'maxAttempts'>,
    Partial<Pick<Draft, 'priority' | 'maxAttempts'>> {
  /** The same key of the same project is the same job, whatever else the draft says. */
  readonly key?: string;
}

/** A job without what may be large: its request and its answer. */
export interface JobSummary extends JobName, Omit<Draft, 'request'> {
  readonly key?: string;
  readonly status: JobStatus;
  /** How often it was begun; what a worker gave back does not count. */
  readonly attempts: number;
  /** Someone asked to cancel it while it ran. */
  readonly cancelAsked: boolean;
  /** JSON. */
  readonly progress?: unknown;
  /** JSON: why it failed, or why it is tried again. */
  readonly refusal?: unknown;
  readonly createdAt: number;
  /** Not before this time. */
  readonly dueAt: number;
  readonly startedAt?: number;
  readonly endedAt?: number;
}

export interface Job extends JobSummary {
  readonly request: unknown;
  /** JSON. */
  readonly answer?: unknown;
}

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

export interface Jobs {
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

  /** For those who run jobs, of every project: what could be claimed now, the most urgent first. */
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
  /** Takes jobs away that ended that long ago, with what they remember; answers how many. */
  forget(endedForMs: number): Promise<number>;
}

const summaryColumns = [
  ...(['project', 'id', 'operation', 'owner', 'key', 'lane', 'priority', 'status', 'attempts'] as const),
  ...(['max_attempts', 'cancel_asked', 'progress', 'refusal', 'ceiling', 'trace', 'created_at'] as const),
  ...(['due_at', 'started_at', 'ended_at'] as const),
] as const;
const columns = [...summaryColumns, 'request', 'answer'] as const;

type SummaryRow = Pick<JobTable, (typeof summaryColumns)[number]>;

function toSummary(row: SummaryRow): JobSummary {
  return {
    project: row.project,
    id: row.id,
    operation: row.operation,
    owner: JSON.parse(row.owner),
    priority: row.priority,
    status: row.status as JobStatus,
    attempts: row.attempts,
    maxAttempts: row.max_attempts,
    cancelAsked: row.cancel_asked === 1,
    createdAt: row.created_at,
    dueAt: row.due_at,
    ...(row.key === null ? {} : { key: row.key }),
    ...(row.lane === null ? {} : { lane: row.lane }),
    ...(row.progress === null ? {} : { progress: JSON.parse(row.progress) }),
    ...(row.refusal === null ? {} : { refusal: JSON.parse(row.refusal) }),
    ...(row.ceiling === null ? {} : { ceiling: row.ceiling }),
    ...(row.trace === null ? {} : { trace: row.trace }),
    ...(row.started_at === null ? {} : { startedAt: row.started_at }),
    ...(row.ended_at === null ? {} : { endedAt: row.ended_at }),
  };
}

function toJob(row: SummaryRow & Pick<JobTable, 'request' | 'answer'>): Job {
  const answer = row.answer === null ? {} : { answer: JSON.parse(row.answer) };
  return { ...toSummary(row), request: JSON.parse(row.request), ...answer };
}

const all = (db: Kysely<Schema>) => db.selectFrom('jobs').select(columns);

async function current(db: Kysely<Schema>, project: string, id: string): Promise<Job> {
  const row = await all(db).where('project', '=', project).where('id', '=', id).executeTakeFirst();
  if (row === undefined) throw notFound('job');
  return toJob(row);
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

function toRow(database: Database, project: string, draft: JobDraft) {
  const name = (field: string, value: string | undefined) =>
    value === undefined ? null : checkedName(field, value);
  return {
    project,
    id: checkedName('id', database.newId()),
    operation: checkedName('operation', draft.operation),
    request: checkedJson('request', draft.request),
    owner: checkedJson('owner', draft.owner),
    status: 'queued',
    key: name('key', draft.key),
    lane: name('lane', draft.lane),
    trace: name('trace', draft.trace),
    priority: checkedInteger('priority', draft.priority ?? 0),
    attempts: 0,
    max_attempts: checkedInteger('maxAttempts', draft.maxAttempts ?? defaultAttempts),
    ceiling: draft.ceiling === undefined ? null : checkedInteger('ceiling', draft.ceiling),
    cancel_asked: 0,
    lease_until: 0,
  };
}

const defaultAttempts = 8;

export function jobsIn(database: Database): Jobs {
  const change = (
    project: string,
    id: string,
    write: (db: Transaction<Schema>, now: number) => Promise<unknown>,
  ) =>
    database.writeAside(project, async (db) => {
      await write(db, await database.time(db));
      return current(db, project, id);
    });
  return {
    async add(project, draft) {
      const row = toRow(database, project, draft);
      return database.writeAside(project, async (db) => {
        const now = await database.time(db);
        await db
          .insertInto('jobs')
          .values({ ...row, due_at: now, created_at: now })
          .onConflict((conflict) => conflict.columns(['project', 'key']).doNothing())
          .execute();
        if (row.key === null) return current(db, project, row.id);
        return toJob(
          await all(db).where('project', '=', project).where('key', '=', row.key).executeTakeFirstOrThrow(),
        );
      });
    },
    get: (project, id) => database.read((db) => current(db, project, id)),
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
            .returning(columns)
            .executeTakeFirst();
          if (row !== undefined) claimed.push({ ...toJob(row), claim });
        }
        return claimed;
      });
    },
    async renew(claim, leaseMs, progress) {
      return database.writeAside(undefined, async (db) => {
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
      return database.writeAside(undefined, async (db) => {
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
