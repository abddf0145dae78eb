// A delivery as a job of the store, whichever of its servers it came to: the same head or comment is one job however often it is delivered, and a newer push makes the
// one that still waits for the same pull request unnecessary.
import type { Grant } from '../../operations/operation.js';
import type { Store } from '../../store/store.js';
import type { WebhookJob } from './webhook-event.js';

export interface WebhookQueue {
  readonly store: () => Promise<Store>;
  /** Fields of every request, such as the model. */
  readonly request?: Readonly<Record<string, unknown>>;
}

/** A mark that no token has: only jobs of webhooks work with the server's own login at a host. */
export const webhookOwner = { mark: 'webhook', grants: ['read', 'run'] as readonly Grant[] };

export async function queueWebhook(
  { operation, project, pull, key }: WebhookJob,
  { store, request = {} }: WebhookQueue,
): Promise<{ readonly job: string; readonly status: string }> {
  const { jobs } = await store();
  const lane = `pull:${pull}`;
  const post = operation === 'forge:review' ? { post: true } : {};
  const job = await jobs.add(project, {
    ...{ operation, lane, key: `webhook:${key}`, owner: webhookOwner },
    request: { ...request, ...post, pull },
  });
  // A branch that was pushed back to an earlier head, or somebody who mended what failed and has it delivered again.
  if (job.status === 'cancelled' || job.status === 'failed') {
    const { id, status } = await jobs.repeat(project, job.id);
    return { job: id, status };
  }
  if (job.status === 'queued' && operation === 'forge:review') await cancelOlder();
  return { job: job.id, status: job.status };

  async function cancelOlder(): Promise<void> {
    for (const other of await jobs.list(project, { status: 'queued', limit: mostWaiting }))
      if (other.lane === lane && other.id !== job.id && other.operation === operation)
        await jobs.cancel(project, other.id);
  }
}

const mostWaiting = 10_000;
