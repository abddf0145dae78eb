// A process that runs jobs with what its machine has: models, keys and folders of its own, and the grants of whoever started each.
import type { GalleyError } from '../../core/model/error.js';
import { embeddedEngine } from '../../jobs/embedded-engine.js';
import { defaultLeaseMs, type JobEngine, keptMs } from '../../jobs/job-engine.js';
import { paidModel } from '../../jobs/paid-model.js';
import type { JobWorld } from '../../jobs/run-job.js';
import { type JobNews, type JobServing, serveJobs } from '../../jobs/serve-jobs.js';
import type { JobOwner } from '../../operations/jobs.js';
import type { Log, Operation, OperationContext } from '../../operations/operation.js';
import { findOperation } from '../../operations/table.js';
import { isDatabaseAddress } from '../../store/check-store-path.js';
import type { ClaimedJob } from '../../store/tables/job-claims.js';
import { localUser } from '../http/access/access-tokens.js';
import { confineFiles } from '../http/access/confine.js';
import { tracedModel, withJobSpan } from '../http/telemetry.js';
import { localForge } from '../local-forge.js';
import { localAnswers, localEmbeddings, localModels, localPrices } from '../local-models.js';
import { realRoots } from '../real-roots.js';
import { isThere, type SharedStore } from '../shared-store.js';
import { webhookOwner } from '../webhooks/queue-webhook.js';

export interface LocalWorkerOptions {
  /** Where files and repositories of requests may be; the first is where relative paths start. */
  readonly roots: readonly string[];
  readonly store: SharedStore['store'];
  /** A file or an address, as the store was opened by. */
  readonly storePath: string;
  readonly atOnce: number;
  readonly leaseMs?: number | undefined;
  readonly untilIdle?: boolean | undefined;
  readonly log: Log;
  onNews?(news: JobNews): void;
  /** Told why, each time the store takes no jobs yet. */
  onWait?(refusal: GalleyError): void;
}

export async function startLocalWorker(options: LocalWorkerOptions): Promise<JobServing> {
  const { atOnce, log, untilIdle, onNews } = options;
  const engine = await engineOf(options);
  const world = () => worldOf(options);
  const serving = serveJobs({
    engine,
    atOnce,
    log,
    untilIdle,
    pollMs: 250,
    world,
    ...(onNews && { onNews }),
  });
  const tidying = setInterval(() => void forgetOld(options), tidyMs).unref();
  void serving.ended.finally(() => clearInterval(tidying)).catch(() => undefined);
  return serving;
}

const tidyMs = 3_600_000;

async function forgetOld({ store, storePath }: LocalWorkerOptions): Promise<void> {
  if (!isThere(storePath)) return;
  // One that is away is asked again in an hour.
  await store()
    .then(({ jobs }) => jobs.forget(keptMs))
    .catch(() => undefined);
}

async function engineOf({
  store,
  storePath,
  leaseMs = defaultLeaseMs,
  onWait,
}: LocalWorkerOptions): Promise<JobEngine> {
  if (!isDatabaseAddress(storePath)) {
    // A store that nobody made yet holds no jobs, and is not made for looking.
    return embeddedEngine(async () => (isThere(storePath) ? (await store()).jobs : undefined), leaseMs);
  }
  const { pgBossEngine } = await import('../../jobs/pg-boss-engine.js');
  const jobs = async () => (await store()).jobs;
  // The tables of the store come first: a worker may be the first to open it.
  await jobs();
  return pgBossEngine({ url: storePath, leaseMs, jobs, ...(onWait && { onWait }) });
}

async function worldOf(options: LocalWorkerOptions): Promise<JobWorld> {
  const store = await options.store();
  return {
    store,
    leaseMs: options.leaseMs ?? defaultLeaseMs,
    contextOf: (job, signal) => contextOf(job, signal, options),
    asked: async (model, job) => {
      return paidModel(tracedModel(model), job, { store, catalog: await localPrices() });
    },
    within: withJobSpan,
  };
}

const embeddings = localEmbeddings();

async function contextOf(
  job: ClaimedJob,
  signal: AbortSignal,
  { roots, store, log }: LocalWorkerOptions,
): Promise<OperationContext> {
  const real = realRoots(roots);
  const folder = real[0] ?? process.cwd();
  const operation = (await findOperation(job.operation)) as Operation;
  await confineFiles(operation, job.request, { caller: localUser, folders: { folder, roots: real } });
  return {
    ...{ signal, folder, log, store, embeddings, debug: false, grants: new Set() },
    now: () => Date.now(),
    model: localModels({ folder, isConfined: true }),
    prices: localPrices,
    answers: localAnswers(folder),
    // Whoever has a token of ours has none of the host's.
    ...(isOfWebhook(job) ? { forge: localForge(signal) } : {}),
  };
}

function isOfWebhook({ owner }: ClaimedJob): boolean {
  return (owner as JobOwner).mark === webhookOwner.mark;
}
