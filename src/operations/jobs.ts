// Jobs: operations that take long, run later by whoever serves jobs, and survive the process that runs them. How they are run is
// in src/jobs; here they are begun, looked at, followed, cancelled and repeated.
import { setTimeout as sleep } from 'node:timers/promises';
import * as z from 'zod';
import { GalleyError, toGalleyError } from '../core/model/error.js';
import { type Job, type JobSummary, jobStatuses } from '../store/tables/job-rows.js';
import type { Jobs } from '../store/tables/jobs.js';
import { carriedRequest, jobOperations, usualLane } from './job-kinds.js';
import { defineOperation, type Grant, type OperationContext, storeErrors } from './operation.js';
import { inParts, partFields } from './parts.js';
import { count, inferred, named, timestamp } from './published-schema.js';
import { durationField, nameField } from './request-fields.js';

/** Who started a job, as it is kept with it; it runs with these grants. */
export interface JobOwner {
  /** A digest for logs and budgets. */
  readonly mark: string;
  readonly grants: readonly Grant[];
  /** What its calls are paid from. */
  readonly budget?: OperationContext['budget'];
}

const projectRequest = z.strictObject({
  projectId: nameField.optional().describe('whose jobs; those of the folder when left out'),
});

const jobRequest = projectRequest.extend({ job: nameField.describe('id of the job') });

const summary = named(
  'Job',
  z.strictObject({
    job: z.string().describe('its id'),
    projectId: z.string(),
    operation: z.string(),
    status: z.enum(jobStatuses).describe('failed: it is not tried again unless somebody repeats it'),
    key: z.string().optional().describe('the same key is the same job'),
    lane: z.string().optional().describe('jobs of one lane run one after the other'),
    priority: z.int(),
    attempts: count.describe('how often it was begun'),
    maxAttempts: count.describe('how often it may be begun'),
    cancelAsked: z.boolean().describe('somebody asked to cancel it while it ran'),
    progress: z
      .strictObject({
        stage: z.string().describe('what it is at'),
        done: count.describe('steps of the stage so far'),
        total: count.optional(),
      })
      .optional()
      .describe('as far as it is known'),
    refusal: z
      .strictObject({
        code: z.string(),
        message: z.string(),
        details: z.record(z.string(), z.unknown()).optional(),
      })
      .optional()
      .describe('why it failed, or why it is tried again'),
    createdAt: timestamp,
    dueAt: timestamp.describe('not before this time'),
    startedAt: timestamp.optional(),
    endedAt: timestamp.optional(),
  }),
);

const whole = summary.extend({
  request: z.unknown().describe('what the operation was asked'),
  answer: z.unknown().optional().describe('of the operation, when it succeeded'),
});

function shown({
  project,
  id,
  owner: _,
  trace: __,
  ceiling: ___,
  leaseUntil: ____,
  ...rest
}: JobSummary): z.output<typeof summary> {
  return { job: id, projectId: project, ...rest } as z.output<typeof summary>;
}

const shownWhole = (job: Job) => shown(job) as z.output<typeof whole>;

async function jobsOf(projectId: string | undefined, context: OperationContext) {
  const store = await context.store();
  if (projectId !== undefined) return { store, project: projectId };
  const { nameOfFolder } = await import('../writing/folder/project-folder.js');
  return { store, project: nameOfFolder(context.folder) };
}

export const jobsStart = defineOperation({
  id: 'jobs:start',
  summary:
    'Has an operation run later by whoever serves jobs: what a model was paid for is not asked again, whatever dies meanwhile.',
  input: projectRequest.extend({
    operation: z.enum(jobOperations),
    request: z.record(z.string(), z.unknown()).describe('what the operation is asked'),
    key: nameField.optional().describe('the same key is the same job, however often it is started'),
    lane: nameField
      .optional()
      .describe('jobs of one lane run one after the other; the document or pull request when left out'),
    priority: z.int().min(-100).max(100).default(0).describe('the higher, the sooner'),
    maxAttempts: z.int().min(1).max(100).optional().describe('how often it may be begun; 8 unless told'),
    maxCost: z.number().positive().max(1_000_000).optional().describe('in dollars, over all attempts'),
  }),
  example: {
    projectId: 'novel',
    operation: 'book:check',
    request: { model: 'anthropic/claude-sonnet-4-5' },
    key: 'nightly-check',
  },
  carries: (asked) => ({ operation: asked.operation, request: carriedRequest(asked) }),
  output: inferred(summary),
  grant: 'run',
  errors: [...storeErrors, 'FORBIDDEN'],
  run: async (asked, context) => {
    const { operation, lane, maxAttempts, maxCost, key, priority } = asked;
    const { store, project } = await jobsOf(asked.projectId, context);
    const request = carriedRequest(asked);
    const lined = lane ?? usualLane(operation, request);
    const trace = context.trace?.();
    const job = await store.jobs.add(project, {
      operation,
      request,
      priority,
      owner: {
        mark: context.caller ?? 'local',
        grants: [...context.grants],
        ...(context.budget === undefined ? {} : { budget: context.budget }),
      } satisfies JobOwner,
      ...(key === undefined ? {} : { key }),
      ...(lined === undefined ? {} : { lane: lined }),
      ...(maxAttempts === undefined ? {} : { maxAttempts }),
      ...(maxCost === undefined ? {} : { ceiling: Math.round(maxCost * 1_000_000) }),
      ...(trace === undefined ? {} : { trace }),
    });
    const { request: _, answer: __, ...rest } = job;
    return shown(rest);
  },
});

export const jobsList = defineOperation({
  id: 'jobs:list',
  summary:
    'Lists the jobs of a project, newest first, without their answers; failed ones are kept to be looked at.',
  input: projectRequest.extend({
    status: z.enum(jobStatuses).optional().describe('only these'),
    limit: z.int().min(1).max(1000).default(50),
  }),
  example: { projectId: 'novel', status: 'failed' },
  output: inferred(z.strictObject({ jobs: z.array(summary).describe('newest first') })),
  grant: 'read',
  errors: storeErrors,
  run: async ({ projectId, status, limit }, context) => {
    const { store, project } = await jobsOf(projectId, context);
    const options = status === undefined ? { limit } : { limit, status };
    return { jobs: (await store.jobs.list(project, options)).map(shown) };
  },
});

export const jobsGet = defineOperation({
  id: 'jobs:get',
  summary: 'Gives a job with what it was asked and what came of it.',
  input: jobRequest.extend(partFields),
  inParts: true,
  example: { projectId: 'novel', job: 'a-job' },
  output: inParts(inferred(whole)),
  grant: 'read',
  errors: [...storeErrors, 'NOT_FOUND'],
  run: async ({ projectId, job }, context) => {
    const { store, project } = await jobsOf(projectId, context);
    return shownWhole(await store.jobs.get(project, job));
  },
});

export const jobsCancel = defineOperation({
  id: 'jobs:cancel',
  summary:
    'Cancels a job: one that waits at once, one that runs within a few seconds; one that ended stays as it is.',
  input: jobRequest,
  example: { projectId: 'novel', job: 'a-job' },
  output: inferred(summary),
  grant: 'run',
  errors: [...storeErrors, 'NOT_FOUND'],
  run: async ({ projectId, job }, context) => {
    const { store, project } = await jobsOf(projectId, context);
    const { request: _, answer: __, ...rest } = await store.jobs.cancel(project, job);
    return shown(rest);
  },
});

export const jobsRepeat = defineOperation({
  id: 'jobs:repeat',
  summary:
    'Queues a job that failed or was cancelled once more, with the answers it remembers; any other stays as it is.',
  input: jobRequest.extend({
    fresh: z.boolean().default(false).describe('forgets what models answered; they are asked and paid again'),
  }),
  example: { projectId: 'novel', job: 'a-job' },
  output: inferred(summary),
  grant: 'run',
  errors: [...storeErrors, 'NOT_FOUND', 'FORBIDDEN'],
  run: async ({ projectId, job, fresh }, context) => {
    const { store, project } = await jobsOf(projectId, context);
    const { owner, status } = await store.jobs.get(project, job);
    const { grants } = owner as JobOwner;
    if (!grants.every((grant) => context.grants.has(grant))) {
      throw new GalleyError('FORBIDDEN', 'To repeat a job needs every grant of whoever started it.');
    }
    if (fresh && (status === 'failed' || status === 'cancelled')) await store.jobAnswers.clear(project, job);
    const { request: _, answer: __, ...rest } = await store.jobs.repeat(project, job);
    return shown(rest);
  },
});

const lookMs = 400;

export const jobsFollow = defineOperation({
  id: 'jobs:follow',
  summary: 'Tells the progress of a job until it ends, then gives it as jobs:get does.',
  input: jobRequest.extend({
    timeoutMs: durationField
      .optional()
      .describe('answers with the job as it is then, ended or not; waits for its end when left out'),
  }),
  example: { projectId: 'novel', job: 'a-job', timeoutMs: 60_000 },
  streams: true,
  waits: true,
  output: inferred(whole),
  grant: 'read',
  errors: [...storeErrors, 'NOT_FOUND'],
  run: async ({ projectId, job, timeoutMs }, context) => {
    const { store, project } = await jobsOf(projectId, context);
    const until = timeoutMs === undefined ? Number.POSITIVE_INFINITY : context.now() + timeoutMs;
    for (let told = '', attempts = 1; ; ) {
      const found = await store.jobs.get(project, job);
      if (found.status === 'running' && found.attempts > attempts) {
        attempts = found.attempts;
        context.onProgress?.({ stage: begunAgain, done: attempts, total: found.maxAttempts });
      }
      const progress = await progressNow(found, { jobs: store.jobs, now: context.now() });
      const now = JSON.stringify(progress);
      if (now !== told) context.onProgress?.(progress);
      told = now;
      if (found.endedAt !== undefined || context.now() >= until) return shownWhole(found);
      await sleep(lookMs, undefined, { signal: context.signal }).catch((error: unknown) => {
        throw toGalleyError(error);
      });
    }
  },
});

/** Of somebody who runs jobs: a due one is taken, and one that is run is heard of, sooner than this. */
const patienceMs = 5000;

/** The stage of a job that is due or begun while nobody is at it. */
export const noWorker = 'no-worker';

/** The stage of a job that is due, while another of its lane runs or is to run first. */
export const inLane = 'in-lane';

/** The stage of a job that was given up or lost by whoever ran it, and is run once more; counted in attempts. */
export const begunAgain = 'begun-again';

/** The stage of a job that could not be done now and is tried again later; counted in attempts. */
export const heldUp = 'held-up';

interface Progress {
  readonly stage: string;
  readonly done: number;
  readonly total?: number;
}

async function progressNow(job: Job, { jobs, now }: { jobs: Jobs; now: number }): Promise<Progress> {
  const progress = progressOf(job, now);
  if (progress.stage !== noWorker || job.status !== 'queued' || job.lane === undefined) return progress;
  const ofLane = async (status: 'running' | 'queued') =>
    (await jobs.list(job.project, { status, limit: 1000 })).filter(({ lane }) => lane === job.lane);
  const queued = await ofLane('queued');
  // Newest first: those behind it came before.
  const earlier = queued.slice(queued.findIndex(({ id }) => id === job.id) + 1);
  const ahead = [...(await ofLane('running')), ...earlier];
  const isWaitedFor = ahead.some((other) => progressOf(other, now).stage !== noWorker);
  return isWaitedFor ? { stage: inLane, done: 0 } : progress;
}

/** What is known of it, and otherwise its status. */
function progressOf(job: JobSummary, now: number): Progress {
  const { progress, status } = job;
  const awaited = { queued: job.dueAt, running: job.leaseUntil }[status as string];
  if (awaited !== undefined && now - awaited > patienceMs) return { stage: noWorker, done: 0 };
  if (status === 'queued' && job.refusal !== undefined && job.dueAt > now)
    return { stage: heldUp, done: job.attempts, total: job.maxAttempts };
  const known = progress as Progress | undefined;
  return status === 'running' && known !== undefined ? known : { stage: status, done: 0 };
}
