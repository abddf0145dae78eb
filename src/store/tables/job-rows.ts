// A job as a row: what is kept of it, what callers get of it, and how the two become each other.
import type { Kysely } from 'kysely';
import { checkedInteger, checkedJson, checkedName, notFound } from './checked.js';
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
  /** While it runs: until when whoever runs it has promised to be heard of. */
  readonly leaseUntil?: number;
  readonly startedAt?: number;
  readonly endedAt?: number;
}

export interface Job extends JobSummary {
  readonly request: unknown;
  /** JSON. */
  readonly answer?: unknown;
}

export const summaryColumns = [
  ...(['project', 'id', 'operation', 'owner', 'key', 'lane', 'priority', 'status', 'attempts'] as const),
  ...(['max_attempts', 'cancel_asked', 'progress', 'refusal', 'ceiling', 'trace', 'created_at'] as const),
  ...(['due_at', 'lease_until', 'started_at', 'ended_at'] as const),
] as const;
export const jobColumns = [...summaryColumns, 'request', 'answer'] as const;

type SummaryRow = Pick<JobTable, (typeof summaryColumns)[number]>;

export function toSummary(row: SummaryRow): JobSummary {
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
    ...(row.status === 'running' ? { leaseUntil: row.lease_until } : {}),
    ...(row.started_at === null ? {} : { startedAt: row.started_at }),
    ...(row.ended_at === null ? {} : { endedAt: row.ended_at }),
  };
}

export function toJob(row: SummaryRow & Pick<JobTable, 'request' | 'answer'>): Job {
  const answer = row.answer === null ? {} : { answer: JSON.parse(row.answer) };
  return { ...toSummary(row), request: JSON.parse(row.request), ...answer };
}

export const allJobs = (db: Kysely<Schema>) => db.selectFrom('jobs').select(jobColumns);

export async function currentJob(db: Kysely<Schema>, project: string, id: string): Promise<Job> {
  const row = await allJobs(db).where('project', '=', project).where('id', '=', id).executeTakeFirst();
  if (row === undefined) throw notFound('job');
  return toJob(row);
}

export function toRow(database: Database, project: string, draft: JobDraft) {
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
