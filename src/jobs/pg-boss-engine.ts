// The engine of a PostgreSQL store: pg-boss hands out tickets, so that any number of processes look for work without looking at the
// same rows. A ticket only says that a job may run; the claim in the store decides. Whoever finds too few tickets writes new ones
// for what waits, so nothing has to be told when a job is added, and whatever a process that died held comes back with its lease.
import type PgBoss from 'pg-boss';
import { type GalleyError, toGalleyError } from '../core/model/error.js';
import { fromDatabase, toStoreRefusal } from '../store/postgres/refusals.js';
import type { JobClaims } from '../store/tables/job-claims.js';
import type { JobName } from '../store/tables/job-rows.js';
import type { JobEngine } from './job-engine.js';
import { waitForStore } from './wait-for-store.js';

const queue = 'galley-jobs';
/** Tickets that are written at once. */
const batch = 100;

interface Ticket {
  readonly id: string;
  readonly data: JobName;
}

export interface PgBossOptions {
  readonly url: string;
  jobs(): Promise<JobClaims>;
  readonly leaseMs: number;
  /** Told why, each time the database takes no jobs yet. */
  onWait?(refusal: GalleyError): void;
}

export async function pgBossEngine({ url, jobs, leaseMs, onWait }: PgBossOptions): Promise<JobEngine> {
  const boss = await waitForStore(() =>
    startBoss(url).catch((error: unknown) => {
      onWait?.(toGalleyError(error));
      throw error;
    }),
  );
  const held = new Map<string, string>();
  const nameOf = ({ project, id }: JobName) => JSON.stringify([project, id]);

  const fetch = async (limit: number): Promise<readonly Ticket[]> =>
    limit === 0 ? [] : boss.fetch<JobName>(queue, { batchSize: limit });
  const write = async (): Promise<number> => {
    const waiting = await (await jobs()).waiting(batch);
    if (waiting.length > 0) {
      await boss.insert(
        waiting.map(({ project, id, priority }) => ({
          name: queue,
          data: { project, id },
          priority,
          singletonKey: nameOf({ project, id }),
          retryLimit: 0,
          expireInSeconds: Math.ceil(leaseMs / 1000),
        })),
      );
    }
    return waiting.length;
  };
  const discard = async (tickets: readonly string[]): Promise<void> => {
    if (tickets.length > 0) await boss.deleteJob(queue, [...tickets]);
  };

  return {
    async take(limit) {
      const tickets = [...(await fetch(limit))];
      if (tickets.length < limit && (await write()) > 0)
        tickets.push(...(await fetch(limit - tickets.length)));
      if (tickets.length === 0) return [];
      const claimed = await (await jobs()).claim({ names: tickets.map(({ data }) => data) }, leaseMs);
      const names = new Set(claimed.map(nameOf));
      const idle: string[] = [];
      for (const { id, data } of tickets) {
        if (names.delete(nameOf(data))) held.set(nameOf(data), id);
        else idle.push(id);
      }
      await discard(idle);
      return claimed;
    },
    async release(job) {
      const ticket = held.get(nameOf(job));
      held.delete(nameOf(job));
      if (ticket !== undefined) await discard([ticket]);
    },
    close: () => boss.stop({ graceful: false, wait: true }),
  };
}

async function startBoss(url: string): Promise<PgBoss> {
  const { default: Boss } = await import('pg-boss');
  const boss = new Boss({
    connectionString: url,
    application_name: 'galley-worker',
    max: 2,
    schema: 'galley_boss',
    schedule: false,
    archiveCompletedAfterSeconds: 60,
    deleteAfterMinutes: 10,
  });
  // What fails is seen by whoever asked; a lost connection is replaced by the next call.
  boss.on('error', () => undefined);
  try {
    await boss.start();
    // One ticket of a job waits at a time, however many see that it waits.
    await boss.createQueue(queue, { name: queue, policy: 'short' });
    return boss;
  } catch (error) {
    await boss.stop({ graceful: false }).catch(() => undefined);
    throw toStoreRefusal(fromDatabase(error));
  }
}
