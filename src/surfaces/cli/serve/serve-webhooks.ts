// Webhooks of this server and the reviews they ask for, run in this process with the server's own login at the host.
import { realpathSync } from 'node:fs';
import { embeddedEngine } from '../../../jobs/embedded-engine.js';
import { defaultLeaseMs } from '../../../jobs/job-engine.js';
import type { JobOwner, JobWorld } from '../../../jobs/run-job.js';
import { type JobServing, serveJobs } from '../../../jobs/serve-jobs.js';
import type { Log } from '../../../operations/operation.js';
import type { Store } from '../../../store/store.js';
import type { ClaimedJob } from '../../../store/tables/jobs.js';
import { nameOfFolder } from '../../../writing/folder/project-folder.js';
import type { DoorRoute } from '../../http/door-route.js';
import { localForge } from '../../local-forge.js';
import { localAnswers, localModels, localPrices } from '../../local-models.js';
import { webhookOwner } from '../../webhooks/queue-webhook.js';
import { webhookDoor } from '../../webhooks/webhook-door.js';
import { webhookSecrets } from '../../webhooks/webhook-proof.js';

export interface ServedWebhooks {
  readonly door: readonly DoorRoute[];
  /** Begins to run jobs, once the server listens. */
  start(): JobServing;
}

interface WebhookSetup {
  readonly folder: string;
  readonly repositories: readonly string[];
  readonly store: () => Promise<Store>;
  readonly log: Log;
}

const pollMs = 500;
const atOnce = 2;

export function serveWebhooks({ folder, repositories, store, log }: WebhookSetup): ServedWebhooks {
  const project = nameOfFolder(realpathSync(folder));
  const secrets = webhookSecrets(process.env);
  const door = webhookDoor({ store, project, repositories, secrets });
  const model = localModels({ folder, isConfined: true });
  const world = async (): Promise<JobWorld> => ({
    store: await store(),
    leaseMs: defaultLeaseMs,
    elapsed: () => performance.now(),
    contextOf: async (job, signal) => ({
      ...{ signal, folder, debug: false, log, store, model, prices: localPrices },
      now: () => Date.now(),
      grants: new Set((job.owner as JobOwner).grants),
      answers: localAnswers(folder),
      // Whoever has a token of ours has none of the host's.
      ...(isOfWebhook(job) ? { forge: localForge(signal) } : {}),
    }),
  });
  return {
    door,
    start: () =>
      serveJobs({
        ...{ world, atOnce, pollMs, log },
        engine: embeddedEngine(async () => (await store()).jobs, defaultLeaseMs),
      }),
  };
}

function isOfWebhook({ owner }: ClaimedJob): boolean {
  return (owner as Partial<JobOwner>).mark === webhookOwner.mark;
}
