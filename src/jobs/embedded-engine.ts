// The engine of a store that one machine uses: the store's own table is the queue, for one process or several.
import type { JobClaims } from '../store/tables/job-claims.js';
import type { JobEngine } from './job-engine.js';

export function embeddedEngine(jobs: () => Promise<JobClaims | undefined>, leaseMs: number): JobEngine {
  return {
    async take(limit) {
      const table = await jobs();
      // Looking takes no lock, and most of the time there is nothing to do.
      if (table === undefined || (await table.waiting(1)).length === 0) return [];
      return table.claim({ limit }, leaseMs);
    },
    release: async () => undefined,
    close: async () => undefined,
  };
}
