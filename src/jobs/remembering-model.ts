// A model inside a job: what it answers is stored before it is used, by the digest of what was sent and how often the same was
// sent. The job run again, by whomever, gets the stored answers, so what was paid for is never asked for again.
import canonicalize from 'canonicalize';
import { type GalleyError, toGalleyError } from '../core/model/error.js';
import { hashText } from '../meters/content-hash.js';
import type { Model, ModelAnswer, ModelRequest } from '../models/contract/model.js';
import type { Store } from '../store/store.js';
import type { JobCall } from '../store/tables/job-answers.js';
import type { JobName } from '../store/tables/job-rows.js';
import { waitForStore } from './wait-for-store.js';

export interface JobMemory {
  /** The same model, which answers from memory what it was asked in this job before. */
  remember(model: Model): Model;
  /** No new call begins; resolves when those under way are stored. */
  pause(): Promise<void>;
  /** The last refusal of a call that may pass if it is made again. */
  passing(): GalleyError | undefined;
}

interface MemoryPorts {
  readonly store: Pick<Store, 'jobAnswers'>;
  /** Refuses when the job may belong to someone else by now. */
  checkHeld(): void;
  readonly signal: AbortSignal;
}

export function jobMemory({ project, id }: JobName, { store, checkHeld, signal }: MemoryPorts): JobMemory {
  const asked = new Map<string, number>();
  const underWay = new Set<Promise<unknown>>();
  let isPaused = false;
  let passing: GalleyError | undefined;

  const nextCall = (digest: string): JobCall => {
    const nth = (asked.get(digest) ?? 0) + 1;
    asked.set(digest, nth);
    return { digest, nth };
  };
  const ask = async (model: Model, request: ModelRequest, ...[options]: Rest) => {
    try {
      return await model.run(request, options);
    } catch (error) {
      const refusal = toGalleyError(error);
      if (refusal.retryable) passing = refusal;
      throw error;
    }
  };
  return {
    remember: (model) => ({
      ...model,
      async run(request, options) {
        const call = nextCall(digestOf(model, request));
        const known = await waitForStore(() => store.jobAnswers.get(project, id, call));
        if (known !== undefined) {
          const answer = known as ModelAnswer;
          options.onText?.(answer.text);
          return answer;
        }
        if (isPaused) await untilAborted(signal);
        signal.throwIfAborted();
        checkHeld();
        const answered = ask(model, request, options).then(
          (answer) =>
            waitForStore(() => store.jobAnswers.put(project, id, call, answer)) as Promise<ModelAnswer>,
        );
        underWay.add(answered);
        try {
          return await answered;
        } finally {
          underWay.delete(answered);
        }
      },
    }),
    async pause() {
      isPaused = true;
      await Promise.allSettled(underWay);
    },
    passing: () => passing,
  };
}

type Rest = [Parameters<Model['run']>[1]];

/** Of everything an answer depends on; time limits and marks for the provider's cache change none. */
function digestOf({ id }: Model, { timeouts: _, cachePoints: __, ...sent }: ModelRequest): string {
  return hashText(canonicalize([id, sent]) ?? '');
}

function untilAborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve();
    signal.addEventListener('abort', () => resolve(), { once: true });
  });
}
