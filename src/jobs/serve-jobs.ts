// Runs jobs as they come, a few at once, until it is told to end: then what runs ends its calls and goes back at once.
import type { Log } from '../operations/operation.js';
import type { ClaimedJob, JobOutcome } from '../store/tables/job-claims.js';
import type { JobEngine } from './job-engine.js';
import { type JobRun, type JobWorld, runJob } from './run-job.js';

/** Without an outcome it was lost to another worker, or what came of it could not be noted. */
export type JobNews =
  | { readonly kind: 'begun'; readonly job: ClaimedJob }
  | { readonly kind: 'ended'; readonly job: ClaimedJob; readonly outcome?: JobOutcome | undefined };

export interface ServeJobsOptions {
  readonly engine: JobEngine;
  world(): Promise<JobWorld>;
  readonly atOnce: number;
  /** How long to wait when there was nothing to do. */
  readonly pollMs: number;
  readonly log: Log;
  onNews?(news: JobNews): void;
  /** Ends when nothing waits and nothing runs. */
  readonly untilIdle?: boolean | undefined;
}

export interface JobServing {
  /** When it has ended; also by itself, with `untilIdle`. */
  readonly ended: Promise<void>;
  /** Takes no more jobs and gives back those that run. */
  drain(): Promise<void>;
}

export function serveJobs(options: ServeJobsOptions): JobServing {
  const { engine, atOnce, pollMs, log, untilIdle = false } = options;
  const running = new Map<JobRun, Promise<unknown>>();
  const draining = new AbortController();
  const { signal } = draining;
  let wake = () => {};
  const rest = (ms: number) =>
    new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, ms);
      wake = () => {
        clearTimeout(timer);
        resolve();
      };
      if (signal.aborted) wake();
    });

  const start = async (taken: Awaited<ReturnType<JobEngine['take']>>) => {
    const world = await options.world();
    for (const job of taken) {
      options.onNews?.({ kind: 'begun', job });
      const run = runJob(job, world);
      const { operation } = job;
      const ended = run.ended
        .then((outcome) => {
          if (outcome === undefined) log({ level: 'warning', event: 'JOB_LOST', details: { operation } });
          return outcome;
        })
        // The lease ends by itself, and the job comes back.
        .catch(() => void log({ level: 'warning', event: 'JOB_NOT_NOTED', details: { operation } }))
        .then((outcome) => options.onNews?.({ kind: 'ended', job, ...(outcome && { outcome }) }))
        .then(() => engine.release(job))
        .catch(() => undefined)
        .finally(() => {
          running.delete(run);
          wake();
        });
      running.set(run, ended);
      if (signal.aborted) void run.giveBack();
    }
  };
  const loop = async () => {
    for (let failures = 0; !signal.aborted; ) {
      const free = atOnce - running.size;
      try {
        const taken = free > 0 ? await engine.take(free) : [];
        await start(taken);
        failures = 0;
        if (free > 0 && taken.length === free) continue;
        if (untilIdle && taken.length === 0 && running.size === 0) return;
      } catch {
        failures += 1;
        log({ level: 'warning', event: 'JOBS_UNAVAILABLE', details: { failures } });
        if (untilIdle && failures > 20) return;
      }
      await rest(Math.min(10_000, pollMs * 2 ** Math.min(failures, 5)));
    }
  };
  const ended = loop().then(async () => {
    await Promise.all([...running.keys()].map((run) => run.giveBack()));
    await Promise.all(running.values());
    await engine.close();
  });
  return {
    ended,
    async drain() {
      draining.abort();
      wake();
      await ended;
    },
  };
}
