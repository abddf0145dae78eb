// One job from its claim to its outcome: the operation is called as by any door, with the grants of whoever started the job, a
// model that remembers, and a heartbeat that keeps the lease, notes the progress and hears of a cancellation.
import { GalleyError, toGalleyError } from '../core/model/error.js';
import type { Model } from '../models/contract/model.js';
import { call } from '../operations/call.js';
import type { JobOwner } from '../operations/jobs.js';
import type { OperationContext, OperationProgress } from '../operations/operation.js';
import { findOperation } from '../operations/table.js';
import type { Store } from '../store/store.js';
import type { ClaimedJob, JobOutcome } from '../store/tables/job-claims.js';
import { checkOwner } from './owner-still-allowed.js';
import { refusalOfWhole } from './refused-whole.js';
import { type JobMemory, jobMemory } from './remembering-model.js';
import { waitForStore } from './wait-for-store.js';

export interface JobWorld {
  readonly store: Store;
  readonly leaseMs: number;
  /** What the operation may reach for here; a job it refuses is left for a while to those who have what it needs. */
  contextOf(job: ClaimedJob, signal: AbortSignal): Promise<OperationContext>;
  /** Around a model that is asked for the first time in this job. */
  asked?(model: Model, job: ClaimedJob): Promise<Model> | Model;
  /** Between two looks for the end of a call that another makes. */
  rest?(ms: number, signal: AbortSignal): Promise<void>;
  /** Around the whole run; for traces. */
  within?(job: ClaimedJob, work: () => Promise<JobOutcome>): Promise<JobOutcome>;
}

export interface JobRun {
  /** What came of it, when that was noted; undefined when the job was lost to another. */
  readonly ended: Promise<JobOutcome | undefined>;
  /** Lets calls under way end, and gives the job back. */
  giveBack(): Promise<void>;
}

const beatMs = 1000;
const firstWaitMs = 1000;
/** Longer: what a worker lacks comes from another one, or from a person. */
const firstElsewhereMs = 10_000;
const longestWaitMs = 300_000;

/** Why a run was stopped from outside. */
type Stop = 'cancelled' | 'given-back' | 'lost';

export function runJob(job: ClaimedJob, world: JobWorld): JobRun {
  const { store, leaseMs } = world;
  const controller = new AbortController();
  let stop: Stop | undefined;
  const end = (why: Stop) => {
    stop ??= why;
    controller.abort();
  };
  /** A call under way is paid for: it ends and is stored, for whoever has the job now. */
  const lose = () => {
    stop ??= 'lost';
    void memory.pause().then(() => end('lost'));
  };
  const { signal } = controller;
  const memory = jobMemory(job, { store, signal, rest: world.rest, onLost: lose });
  let progress: OperationProgress | undefined;
  let beating: Promise<void> | undefined;
  const beat = async () => {
    // One that is late renews a lease that ended, as long as nobody else has taken the job.
    const renewed = await store.jobs.renew(job, leaseMs, progress);
    if (renewed === undefined) lose();
    if (renewed?.cancelAsked) end('cancelled');
  };
  const timer = setInterval(
    () => {
      if (stop === 'lost') return;
      // A store that is away for a moment is no reason to stop: no call begins without it.
      beating ??= beat()
        .catch(() => undefined)
        .finally(() => {
          beating = undefined;
        });
    },
    Math.min(beatMs, leaseMs / 3),
  );

  /** Whether a refusal is for want of something this process lacks and another may have. */
  let lacksHere = (_: GalleyError) => false;
  const work = async (): Promise<JobOutcome> => {
    try {
      if (job.cancelAsked) return { status: 'cancelled' };
      if ((await findOperation(job.operation)) === undefined) return unknownHere;
      if (job.attempts > job.maxAttempts) throw diedTooOften(job);
      await waitForStore(() => checkOwner(job, store));
      const base = await world.contextOf(job, controller.signal).catch((error: unknown) => {
        lacksHere = () => true;
        throw error;
      });
      lacksHere = (error) =>
        (base.forge !== undefined && error.code === 'FORGE_NOT_CONFIGURED') || lacksModelHere(error);
      const context = contextIn(job, base, { memory, world, onProgress: (now) => (progress = now) });
      const answer = await call(job.operation, job.request, context);
      const passing = memory.passing();
      // An answer that lacks what a provider could not give now is asked for once more; the rest is remembered.
      if (passing !== undefined && job.attempts < job.maxAttempts) throw passing;
      const refused = refusalOfWhole(answer);
      if (refused !== undefined) throw refused;
      return { status: 'succeeded', answer };
    } catch (error) {
      const refused = toGalleyError(error);
      return outcomeOf(refused, { stop, job, isOfHere: lacksHere(refused) });
    }
  };
  const within = world.within ?? ((_, run) => run());
  const ended = within(job, work).then(async (outcome) => {
    clearInterval(timer);
    await beating;
    if (stop === 'lost') return undefined;
    if (progress !== undefined) await store.jobs.renew(job, leaseMs, progress).catch(() => undefined);
    return (await waitForStore(() => store.jobs.settle(job, outcome))) ? outcome : undefined;
  });
  return {
    ended: ended.finally(() => clearInterval(timer)),
    async giveBack() {
      await memory.pause();
      end('given-back');
    },
  };
}

function contextIn(
  job: ClaimedJob,
  base: OperationContext,
  {
    memory,
    world,
    onProgress,
  }: { memory: JobMemory; world: JobWorld; onProgress(progress: OperationProgress): void },
): OperationContext {
  const { grants } = job.owner as JobOwner;
  return {
    ...base,
    grants: new Set(grants),
    onProgress,
    history: async () => job.project,
    model: async (name) => {
      const model = await base.model(name);
      return memory.remember((await world.asked?.(model, job)) ?? model);
    },
  };
}

function outcomeOf(
  error: GalleyError,
  { stop, job, isOfHere }: { stop: Stop | undefined; job: ClaimedJob; isOfHere: boolean },
): JobOutcome {
  if (stop === 'given-back') return { status: 'queued', afterMs: 0, isGivenBack: true };
  if (stop === 'cancelled') return { status: 'cancelled' };
  const refusal = error.toJSON();
  if (!(error.retryable || isOfHere) || job.attempts >= job.maxAttempts) return { status: 'failed', refusal };
  const told = error.details?.retryAfterMs;
  const firstMs = isOfHere ? firstElsewhereMs : firstWaitMs;
  const afterMs = Math.min(longestWaitMs, firstMs * 2 ** (job.attempts - 1));
  return { status: 'queued', refusal, afterMs: typeof told === 'number' ? Math.max(told, afterMs) : afterMs };
}

/** A key, an address or a program that another worker may have; a name that no provider knows is as wrong there. */
function lacksModelHere({ code, details }: GalleyError): boolean {
  const reason = details?.reason;
  return code === 'MODEL_NOT_CONFIGURED' && reason !== undefined && reason !== 'unknown-model';
}

/** While versions are exchanged, a newer server may queue what an older worker cannot run: it is left to a newer one. */
const unknownHere: JobOutcome = {
  status: 'queued',
  afterMs: 5000,
  isGivenBack: true,
  refusal: new GalleyError(
    'UNKNOWN_OPERATION',
    'The worker that took this job knows no such operation; start one of the version that queued it.',
  ).toJSON(),
};

function diedTooOften({ maxAttempts }: ClaimedJob): GalleyError {
  return new GalleyError(
    'INTERNAL',
    `The process that ran this job ended ${maxAttempts} times before the job did; repeat it once the reason is mended.`,
    { details: { attempts: maxAttempts } },
  );
}
