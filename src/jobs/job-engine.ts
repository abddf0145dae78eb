// Who hands jobs to those that run them. The rows of the store are the truth: an engine only decides which process looks at which
// job next. Whatever it hands out is claimed in the store first, so an engine that hands out a job twice runs it once.
import type { ClaimedJob } from '../store/tables/job-claims.js';
import type { JobName } from '../store/tables/job-rows.js';

export interface JobEngine {
  /** Jobs that are claimed for the caller, at most so many; none when none may run. */
  take(limit: number): Promise<readonly ClaimedJob[]>;
  /** The job ended, or was given back. */
  release(job: JobName): Promise<void>;
  close(): Promise<void>;
}

/** How long a job stays with a process that no longer says anything. */
export const defaultLeaseMs = 20_000;

/** How long a job that ended can be looked at. */
export const keptMs = 30 * 86_400_000;
